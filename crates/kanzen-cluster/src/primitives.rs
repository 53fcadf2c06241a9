//! The primitives of Noise from `ring`, since those that `snow` brings are slower on long messages and come with three times as many packages.

use std::sync::{Mutex, PoisonError};

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
use ring::digest::{Context, SHA256};
use ring::rand::{SecureRandom, SystemRandom};
use snow::Error;
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::CryptoResolver;
use snow::types::{Cipher, Dh, Hash, Random};

/// Resolves `25519_AESGCM_SHA256`.
pub struct Primitives;

impl CryptoResolver for Primitives {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(System(SystemRandom::new())))
    }
    fn resolve_dh(&self, _: &DHChoice) -> Option<Box<dyn Dh>> {
        Some(Box::new(Ephemeral::default()))
    }
    fn resolve_hash(&self, _: &HashChoice) -> Option<Box<dyn Hash>> {
        Some(Box::new(Sha256(Context::new(&SHA256))))
    }
    fn resolve_cipher(&self, _: &CipherChoice) -> Option<Box<dyn Cipher>> {
        Some(Box::new(AesGcm(key(&[0; 32]))))
    }
}

struct System(SystemRandom);

impl Random for System {
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.0.fill(bytes).map_err(|_| Error::Rng)
    }
}

/// A key pair of one handshake. A private key is used once, for which `ring` takes it by value.
#[derive(Default)]
struct Ephemeral {
    private: Mutex<Option<EphemeralPrivateKey>>,
    public: Vec<u8>,
}

impl Dh for Ephemeral {
    fn name(&self) -> &'static str {
        "25519"
    }
    fn pub_len(&self) -> usize {
        32
    }
    fn priv_len(&self) -> usize {
        32
    }
    fn set(&mut self, _: &[u8]) {
        unreachable!("no pattern in use has static keys");
    }
    fn generate(&mut self, _: &mut dyn Random) -> Result<(), Error> {
        let private = EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).map_err(|_| Error::Rng)?;
        self.public = private.compute_public_key().map_err(|_| Error::Dh)?.as_ref().to_vec();
        self.private = Mutex::new(Some(private));
        Ok(())
    }
    fn pubkey(&self) -> &[u8] {
        &self.public
    }
    fn privkey(&self) -> &[u8] {
        unreachable!("ring does not show private keys");
    }
    fn dh(&self, public: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let private = self.private.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or(Error::Dh)?;
        let public = UnparsedPublicKey::new(&X25519, &public[..32]);
        agree_ephemeral(private, &public, |shared| out[..32].copy_from_slice(shared)).map_err(|_| Error::Dh)
    }
}

struct Sha256(Context);

impl Hash for Sha256 {
    fn name(&self) -> &'static str {
        "SHA256"
    }
    fn block_len(&self) -> usize {
        64
    }
    fn hash_len(&self) -> usize {
        32
    }
    fn reset(&mut self) {
        self.0 = Context::new(&SHA256);
    }
    fn input(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    fn result(&mut self, out: &mut [u8]) {
        out[..32].copy_from_slice(self.0.clone().finish().as_ref());
    }
}

struct AesGcm(LessSafeKey);

fn key(bytes: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, bytes).expect("32 bytes"))
}

/// Noise numbers the messages of a key; `snow` never uses a number twice.
fn nonce(number: u64) -> Nonce {
    let mut nonce = [0; 12];
    nonce[4..].copy_from_slice(&number.to_be_bytes());
    Nonce::assume_unique_for_key(nonce)
}

impl Cipher for AesGcm {
    fn name(&self) -> &'static str {
        "AESGCM"
    }
    fn set(&mut self, bytes: &[u8; 32]) {
        self.0 = key(bytes);
    }
    fn encrypt(&self, number: u64, bound: &[u8], plain: &[u8], out: &mut [u8]) -> usize {
        let (text, rest) = out.split_at_mut(plain.len());
        text.copy_from_slice(plain);
        let tag = self.0.seal_in_place_separate_tag(nonce(number), Aad::from(bound), text).expect("a short message");
        rest[..16].copy_from_slice(tag.as_ref());
        plain.len() + 16
    }
    fn decrypt(&self, number: u64, bound: &[u8], sealed: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let text = out.get_mut(..sealed.len()).ok_or(Error::Decrypt)?;
        text.copy_from_slice(sealed);
        let opened = self.0.open_in_place(nonce(number), Aad::from(bound), text);
        opened.map(|plain| plain.len()).map_err(|_| Error::Decrypt)
    }
}
