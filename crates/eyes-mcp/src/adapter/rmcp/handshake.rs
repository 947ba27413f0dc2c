//! A transport that keeps the two handshakes apart.

use std::future::Future;

use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, RequestId, ServerJsonRpcMessage},
    transport::Transport,
};

/// Throws away the late answer to `server/discover` once `initialize` was sent.
///
/// A server that starts slowly answers the probe after the protocol library gave it up; the library would take
/// that for a broken answer to `initialize`.
#[derive(Debug)]
pub(super) struct Handshake<T> {
    inner: T,
    probe: Option<RequestId>,
    given_up: Vec<RequestId>,
}

impl<T> Handshake<T> {
    pub(super) const fn new(inner: T) -> Self {
        Self {
            inner,
            probe: None,
            given_up: Vec::new(),
        }
    }

    fn note(&mut self, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else {
            return;
        };
        match request.request {
            ClientRequest::DiscoverRequest(_) => {
                self.given_up.extend(self.probe.replace(request.id.clone()));
            }
            ClientRequest::InitializeRequest(_) => self.given_up.extend(self.probe.take()),
            _ => {}
        }
    }

    fn is_late(&mut self, message: &ServerJsonRpcMessage) -> bool {
        let id = match message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => match &error.id {
                Some(id) => id,
                None => return false,
            },
            _ => return false,
        };
        let found = self
            .given_up
            .iter()
            .position(|given_up| given_up.to_string() == id.to_string());
        found.map(|at| self.given_up.swap_remove(at)).is_some()
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Handshake<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.note(&item);
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            if self.given_up.is_empty() || !self.is_late(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
