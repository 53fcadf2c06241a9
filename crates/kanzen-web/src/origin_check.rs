//! Host and Origin checks against CSRF and DNS rebinding.
//!
//! A page of another site can make a browser send requests to 127.0.0.1 (CSRF). With a domain that resolves to 127.0.0.1
//! (DNS rebinding) it could also read the responses. A server on a loopback address therefore requires a loopback `Host`
//! and rejects cross-site requests. A server on a public address is open to every client and skips these checks.

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::refusal::Refusal;
use crate::server::ServeError;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// The Host and Origin policy of a server.
pub struct OriginCheck {
    loopback: bool,
    /// Allowed cross-site origins.
    origins: Vec<HeaderValue>,
}

impl OriginCheck {
    /// Creates the policy of a server that listens on a loopback address or not, with the allowed origins.
    pub fn new(loopback: bool, origins: &[String]) -> Result<OriginCheck, ServeError> {
        let origins = origins.iter().map(|origin| checked(origin)).collect::<Result<_, _>>()?;
        Ok(OriginCheck { loopback, origins })
    }

    /// Returns the CORS layer for the allowed origins, or `None` if there are none.
    pub fn cors(&self) -> Option<CorsLayer> {
        if self.origins.is_empty() {
            return None;
        }
        let layer = CorsLayer::new()
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([axum::http::header::CONTENT_TYPE])
            .expose_headers([axum::http::header::RETRY_AFTER])
            .allow_private_network(true);
        Some(match self.allows_any() {
            true => layer.allow_origin(Any),
            false => layer.allow_origin(AllowOrigin::list(self.origins.iter().cloned())),
        })
    }

    /// Rejects a request that another site made the browser send.
    pub fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        if !self.loopback {
            return Ok(());
        }
        let loopback_uri = request.uri().host().is_none_or(is_loopback);
        if !loopback_uri || !names_loopback(request.headers()) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "use localhost or the server's address as host name"));
        }
        let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let foreign = matches!(text(SITE), Some("cross-site" | "same-site"));
        // A link from another site is harmless: that site cannot read the response.
        let link = text(MODE) == Some("navigate") && request.method() == Method::GET;
        let allowed = request.headers().get(ORIGIN).is_some_and(|origin| self.allows(origin));
        if foreign && !link && !allowed {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "cross-site requests are not allowed: see --cors"));
        }
        Ok(())
    }

    fn allows_any(&self) -> bool {
        self.origins.iter().any(|origin| origin == "*")
    }

    fn allows(&self, origin: &HeaderValue) -> bool {
        self.allows_any() || self.origins.contains(origin)
    }
}

/// An origin as browsers send it: a scheme, a host, perhaps a port, and nothing more.
fn checked(origin: &str) -> Result<HeaderValue, ServeError> {
    let wrong = || ServeError::Origin { origin: origin.to_owned() };
    if origin != "*" {
        let (scheme, host) = origin.split_once("://").ok_or_else(wrong)?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:[]_".contains(c);
        if !["http", "https"].contains(&scheme) || host.is_empty() || !host.chars().all(plain) {
            return Err(wrong());
        }
    }
    HeaderValue::from_str(origin).map_err(|_| wrong())
}

/// Returns whether the `Host` header is a loopback name. Only HTTP/1.0 clients send none.
fn names_loopback(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let first = hosts.next();
    hosts.next().is_none() && first.is_none_or(|host| host.to_str().is_ok_and(|host| is_loopback(without_port(host))))
}

fn without_port(host: &str) -> &str {
    let port = |port: &str| port.chars().all(|c| c.is_ascii_digit());
    host.rsplit_once(':').filter(|(_, after)| port(after)).map_or(host, |(name, _)| name)
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Accepts a state-changing request only from the server's own page.
pub fn from_our_page(headers: &HeaderMap) -> Result<(), Refusal> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    // Compared as bytes: an origin that is not ASCII is still an origin, and no second one may stand beside the own.
    let mut origins = headers.get_all(ORIGIN).iter();
    let first = origins.next();
    let same =
        origins.next().is_none() && first.is_none_or(|origin| origin.as_bytes() == format!("http://{host}").as_bytes());
    if is_loopback(without_port(host)) && same {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::FORBIDDEN, "only this server's own page may start or stop a solve"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, headers: &[(&str, &str)]) -> Request<()> {
        let start = Request::builder().method(method).uri("/api/games");
        headers.iter().fold(start, |request, (name, value)| request.header(*name, *value)).body(()).unwrap()
    }

    #[test]
    fn cross_site_requests_cannot_change_state() {
        let allowed = |host: &str, origins: &[&str]| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            for origin in origins {
                headers.append(ORIGIN, HeaderValue::from_bytes(origin.as_bytes()).unwrap());
            }
            from_our_page(&headers).is_ok()
        };
        let own = "http://127.0.0.1:7878";
        assert!(allowed("127.0.0.1:7878", &[]));
        assert!(allowed("127.0.0.1:7878", &[own]));
        assert!(allowed("localhost:7878", &["http://localhost:7878"]));
        assert!(allowed("[::1]:7878", &["http://[::1]:7878"]));
        assert!(!allowed("127.0.0.1:7878", &["http://evil.example"]));
        assert!(!allowed("127.0.0.1:7878", &["http://évil.example"]));
        assert!(!allowed("127.0.0.1:7878", &[own, "http://evil.example"]));
        assert!(!allowed("127.0.0.1:7878", &[own, own]));
        assert!(!allowed("evil.example:7878", &["http://evil.example:7878"]));
        assert!(!allowed("", &[]));
    }

    #[test]
    fn a_loopback_server_requires_a_loopback_host() {
        let check = OriginCheck::new(true, &[]).unwrap();
        let accepts = |hosts: &[&str]| {
            let headers: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
            check.check(&request("GET", &headers)).is_ok()
        };
        for host in ["127.0.0.1:7878", "127.0.0.2", "localhost", "LocalHost:80", "[::1]:7878", "[::1]"] {
            assert!(accepts(&[host]), "{host}");
        }
        for host in
            ["evil.example", "evil.example:7878", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", ""]
        {
            assert!(!accepts(&[host]), "{host}");
        }
        assert!(accepts(&[]), "HTTP/1.0");
        assert!(!accepts(&["127.0.0.1", "evil.example"]));
        let absolute = Request::builder().uri("http://evil.example/").header("host", "127.0.0.1").body(()).unwrap();
        assert!(check.check(&absolute).is_err());
        let public = OriginCheck::new(false, &[]).unwrap();
        assert!(public.check(&request("GET", &[("host", "games.example")])).is_ok());
    }

    #[test]
    fn another_site_may_link_here_but_fetches_only_if_its_origin_is_allowed() {
        let named = OriginCheck::new(true, &["https://games.example".to_owned()]).unwrap();
        let accepts = |check: &OriginCheck, method: &str, site: &str, more: &[(&str, &str)]| {
            let headers = [&[("host", "localhost:7878"), ("sec-fetch-site", site)], more].concat();
            check.check(&request(method, &headers)).is_ok()
        };
        assert!(accepts(&named, "GET", "same-origin", &[]));
        assert!(accepts(&named, "GET", "none", &[]));
        assert!(!accepts(&named, "GET", "cross-site", &[]));
        assert!(!accepts(&named, "GET", "same-site", &[]), "another port of this machine");
        assert!(accepts(&named, "GET", "cross-site", &[("sec-fetch-mode", "navigate")]));
        assert!(!accepts(&named, "POST", "cross-site", &[("sec-fetch-mode", "navigate")]), "a form");
        assert!(accepts(&named, "POST", "cross-site", &[("origin", "https://games.example")]));
        assert!(!accepts(&named, "GET", "cross-site", &[("origin", "https://evil.example")]));
        let any = OriginCheck::new(true, &["*".to_owned()]).unwrap();
        assert!(accepts(&any, "GET", "cross-site", &[("origin", "https://evil.example")]));
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for origin in ["*", "https://games.example", "http://localhost:3000", "http://[::1]:80"] {
            assert!(checked(origin).is_ok(), "{origin}");
        }
        for origin in
            ["games.example", "https://", "https://a/b", "https://a/", "ftp://a", "https://A", "https://*.a", ""]
        {
            assert!(checked(origin).is_err(), "{origin}");
        }
    }
}
