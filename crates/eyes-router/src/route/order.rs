//! The order in which routes are asked.

use super::Route;

/// Puts `preferred` before the `configured` routes and names each route once.
///
/// The preferred route is the one that answered last for the same picture; it need not be configured.
pub fn order(preferred: Option<&Route>, configured: &[Route]) -> Vec<Route> {
    let mut routes: Vec<Route> = Vec::with_capacity(configured.len() + 1);
    for route in preferred.into_iter().chain(configured) {
        if !routes.contains(route) {
            routes.push(route.clone());
        }
    }
    routes
}
