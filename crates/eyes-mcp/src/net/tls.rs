//! TLS: rustls with ring, checked against the system's certificates and the configured ones.

use std::sync::Arc;

use rustls::{
    ClientConfig,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use rustls_platform_verifier::Verifier;

use super::NetError;
use crate::limits::MAX_CA_BYTES;

pub(super) fn client_config(extra: &[Vec<u8>]) -> Result<ClientConfig, NetError> {
    let mut certificates = Vec::new();
    for pem in extra {
        certificates.extend(read_pem(pem)?);
    }
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(certificates, Arc::clone(&provider))
        .map_err(|error| setup(format!("the certificates cannot be used: {error}")))?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| setup(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn read_pem(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, NetError> {
    if pem.len() > MAX_CA_BYTES {
        return Err(setup(format!(
            "a file of certificates has more than {MAX_CA_BYTES} bytes"
        )));
    }
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|error| setup(format!("a file of certificates cannot be read: {error}")))?;
    if found.is_empty() {
        return Err(setup(
            "a file of certificates holds none in PEM form".to_owned(),
        ));
    }
    Ok(found)
}

const fn setup(reason: String) -> NetError {
    NetError::Setup { reason }
}
