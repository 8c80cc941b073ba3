//! Promise: signing, single verification and X25519 allocate nothing, whatever the outcome.

use rind25519::{
    ed25519::{
        Digest, MultipartSigner, MultipartVerifier, Predicate, Sha512, Signature, SigningKey,
        Verifier, VerifyingKey,
    },
    x25519::{EphemeralSecret, PublicKey, StaticSecret, x25519},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
};

/// The system's allocator, with a count of the calls that each thread makes.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is going away has no count any more, and none is asked of it.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every method passes its arguments on to `System`, which upholds the contract of
// `GlobalAlloc`; counting touches a thread-local without a destructor and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises about `layout` are the ones that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `block` came from `System` with this layout, since every block here does.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as for `dealloc`; the caller's promises about `size` are `System`'s.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `work` allocates. It runs once before, because a test build reads environment variables
/// when it first looks for CPU features.
fn allocations<T>(mut work: impl FnMut() -> T) -> usize {
    black_box(work());
    let before = CALLS.get();
    black_box(work());
    CALLS.get() - before
}

#[test]
fn counter_sees_an_allocation() {
    assert_eq!(allocations(|| Box::new(black_box(7))), 1, "the planted fault");
    assert_eq!(allocations(|| black_box(7)), 0);
    // And one beside the work that the other tests measure.
    let key = SigningKey::from_seed(&[7; 32]);
    assert_eq!(allocations(|| key.sign(&Vec::from(black_box([1; 100])))), 1);
}

#[test]
fn signing_allocates_nothing() {
    let long = vec![1; 5000];
    let hash = Sha512::new().chain_update(&long);
    assert_eq!(allocations(|| SigningKey::from_seed(&[7; 32])), 0);
    assert_eq!(allocations(SigningKey::generate), 0);
    let key = SigningKey::from_seed(&[7; 32]);
    assert_eq!(allocations(|| key.sign(&long)), 0);
    assert_eq!(allocations(|| key.multipart_sign(&[&long, &long])), 0);
    assert_eq!(allocations(|| key.sign_with_context(&long, b"a context")), 0);
    assert_eq!(allocations(|| key.sign_with_context(&long, b"")), 0);
    assert_eq!(allocations(|| key.sign_prehashed(hash.clone(), Some(b"a context"))), 0);
    assert_eq!(allocations(|| SigningKey::from_keypair_bytes(&[7; 64])), 0);
}

#[test]
fn verification_allocates_nothing() {
    let long = vec![1; 5000];
    let hash = Sha512::new().chain_update(&long);
    let key = SigningKey::from_seed(&[7; 32]);
    let good = key.sign(&long);
    let wrong = key.sign(b"another");
    let high = Signature::from_bytes(&[0xff; 64]);
    let public = key.verifying_key();
    assert_eq!(allocations(|| VerifyingKey::from_bytes(public.as_bytes())), 0);
    assert_eq!(allocations(|| VerifyingKey::from_bytes(&[2; 32])), 0);
    for signature in [&good, &wrong, &high] {
        let bytes = signature.to_bytes();
        assert_eq!(allocations(|| public.verify(&long, signature)), 0);
        assert_eq!(allocations(|| public.verify_strict(&long, signature)), 0);
        assert_eq!(allocations(|| Verifier::verify(&public, &long, signature).is_ok()), 0);
        assert_eq!(allocations(|| public.multipart_verify(&[&long], signature).is_ok()), 0);
        assert_eq!(allocations(|| public.verify_with_context(&long, b"a context", signature)), 0);
        assert_eq!(allocations(|| public.verify_prehashed(hash.clone(), None, signature)), 0);
        for (name, rule) in Predicate::NAMED {
            let count = allocations(|| rule.verify(public.as_bytes(), &long, &bytes));
            assert_eq!(count, 0, "{name}");
        }
    }
}

#[test]
fn agreement_allocates_nothing() {
    let secret = StaticSecret::from([7; 32]);
    let public = PublicKey::from(&secret);
    let zero = PublicKey::from([0; 32]);
    assert_eq!(allocations(|| PublicKey::from(&secret)), 0);
    assert_eq!(allocations(|| secret.diffie_hellman(&public)), 0);
    assert_eq!(allocations(|| secret.diffie_hellman(&zero)), 0);
    assert_eq!(allocations(|| EphemeralSecret::random().map(|own| own.diffie_hellman(&public))), 0);
    assert_eq!(allocations(|| x25519([7; 32], [9; 32])), 0);
}
