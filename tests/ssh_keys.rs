//! Promise: keys pass to OpenSSH's files and back, through the `ssh-key` crate and through `ssh-keygen`,
//! and so do signatures.
//!
//! OpenSSH keeps 64 bytes, the seed and then the public key: [`SigningKey::from_keypair_bytes`].

mod folder;
mod key_parts;
mod skip;

use folder::folder;
use key_parts::key;
use rind25519::ed25519::{KeyError, Signature, SigningKey, VerifyingKey};
use ssh_key::{
    HashAlg, LineEnding, PrivateKey, PublicKey, SshSig,
    private::{Ed25519Keypair, KeypairData},
    public::{Ed25519PublicKey, KeyData},
};
use std::{fs, path::Path, process::Command};

/// OpenSSH's file of a private key.
fn to_ssh(key: &SigningKey) -> PrivateKey {
    let pair = Ed25519Keypair::from_bytes(&key.to_keypair_bytes()).expect("a pair");
    PrivateKey::new(KeypairData::Ed25519(pair), "a comment").expect("a key")
}

fn from_ssh(key: &PrivateKey) -> Result<SigningKey, KeyError> {
    SigningKey::from_keypair_bytes(&key.key_data().ed25519().expect("an Ed25519 key").to_bytes())
}

fn public_from_ssh(key: &PublicKey) -> VerifyingKey {
    VerifyingKey::from_bytes(&key.key_data().ed25519().expect("an Ed25519 key").0).expect("a key")
}

#[test]
fn keys_survive_the_files_of_openssh() {
    let text = to_ssh(&key()).to_openssh(LineEnding::LF).expect("a file");
    assert!(text.starts_with("-----BEGIN OPENSSH PRIVATE KEY-----\n"));
    let read = PrivateKey::from_openssh(&*text).expect("the file");
    assert_eq!(from_ssh(&read), Ok(key()));
    assert_eq!(public_from_ssh(read.public_key()), key().verifying_key());

    let public = Ed25519PublicKey(key().verifying_key().to_bytes());
    let line = PublicKey::new(KeyData::Ed25519(public), "a comment").to_openssh().expect("a line");
    assert!(line.starts_with("ssh-ed25519 AAAA"));
    let read = PublicKey::from_openssh(&line).expect("the line");
    assert_eq!(public_from_ssh(&read), key().verifying_key());
}

/// `ssh-keygen` with these arguments; it must succeed.
fn ssh_keygen(arguments: &[&str], files: &[&Path]) -> String {
    let output =
        Command::new("ssh-keygen").args(arguments).args(files).output().expect("ssh-keygen");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "ssh-keygen {arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// A private key's file, which `ssh-keygen` reads for its owner only.
fn write_private(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("its mode");
    }
}

#[test]
fn ssh_keygen_reads_ours_and_we_read_its() {
    if !skip::program("ssh-keygen") {
        return;
    }
    let folder = folder("ssh_keys");
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    write_private(&ours, &to_ssh(&key()).to_openssh(LineEnding::LF).expect("a file"));
    let line = ssh_keygen(&["-y", "-f"], &[&ours]);
    assert_eq!(
        public_from_ssh(&PublicKey::from_openssh(&line).expect("a line")),
        key().verifying_key()
    );

    ssh_keygen(&["-q", "-t", "ed25519", "-N", "", "-f"], &[&theirs]);
    let read = PrivateKey::read_openssh_file(&theirs).expect("ssh-keygen's file");
    let read = from_ssh(&read).expect("a matching pair");
    let line = fs::read_to_string(folder.join("theirs.pub")).expect("ssh-keygen's other file");
    assert_eq!(
        public_from_ssh(&PublicKey::from_openssh(&line).expect("a line")),
        read.verifying_key()
    );
}

/// `ssh-keygen -Y sign` signs with our key, and we verify it; it verifies what we sign.
#[test]
fn ssh_signatures_pass_both_ways() {
    if !skip::program("ssh-keygen") {
        return;
    }
    let folder = folder("ssh_signatures");
    let [private, message, signers] = ["key", "message", "signers"].map(|name| folder.join(name));
    write_private(&private, &to_ssh(&key()).to_openssh(LineEnding::LF).expect("a file"));
    fs::write(&message, b"a message").expect("a file");

    ssh_keygen(&["-q", "-Y", "sign", "-n", "test", "-f"], &[&private, &message]);
    let theirs = fs::read_to_string(folder.join("message.sig")).expect("a signature");
    let theirs = SshSig::from_pem(theirs).expect("a signature");
    let signed = |hash| SshSig::signed_data("test", hash, b"a message").expect("what is signed");
    let bytes = Signature::from_slice(theirs.signature_bytes()).expect("64 bytes");
    assert_eq!(key().verifying_key().verify(&signed(theirs.hash_alg()), &bytes), Ok(()));
    // Signatures are deterministic: the same key makes the same.
    assert_eq!(key().sign(&signed(theirs.hash_alg())), bytes);

    let ours = ssh_key::Signature::new(
        ssh_key::Algorithm::Ed25519,
        key().sign(&signed(HashAlg::Sha512)).to_vec(),
    );
    let public = KeyData::Ed25519(Ed25519PublicKey(key().verifying_key().to_bytes()));
    let ours = SshSig::new(public.clone(), "test", HashAlg::Sha512, ours.expect("a signature"));
    let text = ours.expect("a signature").to_pem(LineEnding::LF).expect("PEM");
    let file = folder.join("ours.sig");
    fs::write(&file, text).expect("a file");
    let line = PublicKey::new(public, "").to_openssh().expect("a line");
    fs::write(&signers, format!("somebody {line}\n")).expect("a file");
    let output = Command::new("ssh-keygen")
        .args(["-Y", "verify", "-I", "somebody", "-n", "test", "-f"])
        .arg(&signers)
        .arg("-s")
        .arg(&file)
        .stdin(fs::File::open(&message).expect("the message"))
        .output()
        .expect("ssh-keygen");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("Good"), "{said}");
}
