//! Resolving names, so that the addresses that were checked are those that are connected to.

use std::{error::Error, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{NetError, NetPolicy};

/// Resolves as the system does and keeps what the policy admits; nothing resolves again afterwards.
#[derive(Debug, Clone)]
pub(super) struct PolicedResolver {
    pub(super) policy: NetPolicy,
    /// The host of the configured proxy, which is where the operator put it.
    pub(super) proxy: Option<Arc<str>>,
}

impl Resolve for PolicedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { policy, proxy } = self.clone();
        Box::pin(async move {
            let name = name.as_str();
            let found = tokio::net::lookup_host((name, 0)).await?.collect();
            let is_proxy = proxy.is_some_and(|proxy| proxy.eq_ignore_ascii_case(name));
            let admitted = if is_proxy {
                found
            } else {
                // Boxed as itself, so that it can be found among the causes of the library's error.
                let boxed = |refusal: NetError| Box::new(refusal) as Box<dyn Error + Send + Sync>;
                policy.admit(name, found).map_err(boxed)?
            };
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}
