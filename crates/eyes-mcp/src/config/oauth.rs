//! OAuth settings of a server.

use super::{
    ConfigError, OAuthCredential, OAuthFlow, OAuthFlowKind, OAuthServerSettings, OAuthSettings,
    reference::check_reference,
};
use crate::limits::MAX_REFERENCE_BYTES;

/// Algorithms of a signed assertion (RFC 7518, section 3.1).
const ALGORITHMS: [&str; 5] = ["RS256", "RS384", "RS512", "ES256", "ES384"];

/// Checks OAuth settings; nothing where they are not enabled.
pub(super) fn check(
    path: &str,
    settings: &OAuthServerSettings,
) -> Result<Option<OAuthSettings>, ConfigError> {
    if !settings.enabled {
        return Ok(None);
    }
    let references = [
        ("clientId", &settings.client_id),
        ("clientSecret", &settings.client_secret),
        ("privateKey", &settings.private_key),
    ];
    for (member, reference) in references {
        if let Some(reference) = reference {
            check_reference(&format!("{path}.{member}"), reference)?;
        }
    }
    let flow = match settings.flow {
        OAuthFlowKind::ClientCredentials => OAuthFlow::ClientCredentials {
            client_id: required(path, "clientId", settings.client_id.as_ref())?,
            credential: credential(path, settings)?,
        },
        OAuthFlowKind::AuthorizationCode => {
            let foreign = [
                ("privateKey", settings.private_key.is_some()),
                ("authMethod", settings.auth_method.is_some()),
            ];
            refuse_present(path, &foreign, "is not for the flow authorization-code")?;
            if settings.client_secret.is_some() {
                required(path, "clientId", settings.client_id.as_ref())?;
            }
            refuse_key_members(path, settings)?;
            OAuthFlow::AuthorizationCode {
                client_id: settings.client_id.clone(),
                client_secret: settings.client_secret.clone(),
            }
        }
    };
    Ok(Some(OAuthSettings {
        flow,
        scope: scope(path, settings.scope.as_deref())?,
        keyring: settings.keyring,
    }))
}

fn required<T: Clone>(path: &str, member: &str, value: Option<&T>) -> Result<T, ConfigError> {
    value.cloned().ok_or_else(|| ConfigError::Missing {
        path: format!("{path}.{member}"),
    })
}

fn refuse_present(path: &str, members: &[(&str, bool)], reason: &str) -> Result<(), ConfigError> {
    match members.iter().find(|(_, present)| *present) {
        Some((member, _)) => Err(ConfigError::member(format!("{path}.{member}"), reason)),
        None => Ok(()),
    }
}

fn refuse_key_members(path: &str, settings: &OAuthServerSettings) -> Result<(), ConfigError> {
    let members = [
        ("algorithm", settings.algorithm.is_some()),
        ("keyId", settings.key_id.is_some()),
    ];
    refuse_present(path, &members, "belongs to a privateKey")
}

fn credential(path: &str, settings: &OAuthServerSettings) -> Result<OAuthCredential, ConfigError> {
    let Some(key) = &settings.private_key else {
        refuse_key_members(path, settings)?;
        return Ok(OAuthCredential::Secret {
            secret: required(path, "clientSecret", settings.client_secret.as_ref())?,
            method: settings.auth_method,
        });
    };
    let foreign = [
        ("clientSecret", settings.client_secret.is_some()),
        ("authMethod", settings.auth_method.is_some()),
    ];
    refuse_present(path, &foreign, "is not for a client with a privateKey")?;
    if settings
        .algorithm
        .as_deref()
        .is_some_and(|name| !ALGORITHMS.contains(&name))
    {
        let reason = format!("has to be one of {}", ALGORITHMS.join(", "));
        return Err(ConfigError::member(format!("{path}.algorithm"), &reason));
    }
    let key_id = settings.key_id.as_deref().map(str::trim);
    if key_id.is_some_and(|id| id.is_empty() || id.len() > MAX_REFERENCE_BYTES) {
        return Err(ConfigError::member(
            format!("{path}.keyId"),
            "has 1 to 1,024 bytes",
        ));
    }
    Ok(OAuthCredential::PrivateKey {
        key: key.clone(),
        algorithm: settings.algorithm.clone(),
        key_id: key_id.map(str::to_owned),
    })
}

/// Checks a scope: tokens with single spaces between them (RFC 6749, section 3.3).
fn scope(path: &str, scope: Option<&str>) -> Result<Option<String>, ConfigError> {
    let Some(scope) = scope.map(str::trim) else {
        return Ok(None);
    };
    let is_token = |token: &str| {
        !token.is_empty()
            && token
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
    };
    if scope.len() <= MAX_REFERENCE_BYTES && scope.split(' ').all(is_token) {
        Ok(Some(scope.to_owned()))
    } else {
        let reason = "has one name or several with single spaces between them";
        Err(ConfigError::member(format!("{path}.scope"), reason))
    }
}
