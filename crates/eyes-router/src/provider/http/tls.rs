//! TLS: rustls with ring, checked against the system's certificates and the configured ones.

use std::sync::Arc;

use rustls::{
    ClientConfig,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use rustls_platform_verifier::Verifier;

use super::super::ProviderConfigError;
use crate::limits::MAX_CA_BYTES;

pub(super) fn client_config(extra: &[Vec<u8>]) -> Result<ClientConfig, ProviderConfigError> {
    let mut certificates = Vec::new();
    for (index, pem) in extra.iter().enumerate() {
        certificates.extend(read_pem(index, pem)?);
    }
    let provider = Arc::new(ring::default_provider());
    let verifier =
        Verifier::new_with_extra_roots(certificates, Arc::clone(&provider)).map_err(|error| {
            ProviderConfigError::Client {
                reason: format!("the certificates cannot be used: {error}"),
            }
        })?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ProviderConfigError::Client {
            reason: error.to_string(),
        })?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn read_pem(index: usize, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, ProviderConfigError> {
    let refused = |reason: String| ProviderConfigError::Certificate { index, reason };
    if pem.len() > MAX_CA_BYTES {
        return Err(refused(format!("it has more than {MAX_CA_BYTES} bytes")));
    }
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|error| refused(error.to_string()))?;
    if found.is_empty() {
        return Err(refused("it holds no certificate in PEM form".to_owned()));
    }
    Ok(found)
}
