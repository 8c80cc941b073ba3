//! What every tier shares: points and scalars as bytes, and the verification equation.
