//! Whom the server listens to: other sites must not use a visitor's browser to ask.
//!
//! A page of another site can have the browser send requests to 127.0.0.1, and by a name of its own that points there
//! (DNS rebinding) it could read the answers. So a server on a loopback address is to be asked by a loopback name, and
//! not by the pages of others. A server that everybody may ask has nothing to hide from a page.

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::refusal::Refusal;
use crate::server::ServeError;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Who may ask.
pub struct Guard {
    loopback: bool,
    /// Origins whose pages may ask.
    origins: Vec<HeaderValue>,
}

impl Guard {
    /// The guard of a server on a loopback address or another, with the origins whose pages may ask.
    pub fn new(loopback: bool, origins: &[String]) -> Result<Guard, ServeError> {
        let origins = origins.iter().map(|origin| checked(origin)).collect::<Result<_, _>>()?;
        Ok(Guard { loopback, origins })
    }

    /// What lets the pages of other origins read the answers; nothing where none may.
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

    /// Refuses what another site makes a visitor's browser ask.
    pub fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        if !self.loopback {
            return Ok(());
        }
        let named = request.uri().host().is_none_or(is_loopback);
        if !named || !names_loopback(request.headers()) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "ask this server as localhost or by its address"));
        }
        let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let foreign = matches!(text(SITE), Some("cross-site" | "same-site"));
        // A link may lead here: the page that has it does not see what the visitor sees.
        let link = text(MODE) == Some("navigate") && request.method() == Method::GET;
        let allowed = request.headers().get(ORIGIN).is_some_and(|origin| self.allows(origin));
        if foreign && !link && !allowed {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "pages of other sites may not ask: see --cors"));
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

/// Whether the host of a request is this machine. Only clients of the first HTTP name none.
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

/// Only the server's own page may ask for work that writes: neither other sites nor other names.
pub fn from_our_page(headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(HOST).unwrap_or("");
    let same = text(ORIGIN).is_none_or(|origin| origin == format!("http://{host}"));
    if is_loopback(without_port(host)) && same {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::FORBIDDEN, "only this server's own page may ask for a solve"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, headers: &[(&str, &str)]) -> Request<()> {
        let start = Request::builder().method(method).uri("/api/games");
        headers.iter().fold(start, |request, (name, value)| request.header(*name, *value)).body(()).unwrap()
    }

    #[test]
    fn other_sites_cannot_ask_for_work() {
        let allowed = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
            from_our_page(&headers).is_ok()
        };
        assert!(allowed("127.0.0.1:7878", None));
        assert!(allowed("localhost:7878", Some("http://localhost:7878")));
        assert!(allowed("[::1]:7878", Some("http://[::1]:7878")));
        assert!(!allowed("127.0.0.1:7878", Some("http://evil.example")));
        assert!(!allowed("evil.example:7878", Some("http://evil.example:7878")));
        assert!(!allowed("", None));
    }

    #[test]
    fn a_loopback_server_is_asked_by_a_loopback_name_only() {
        let guard = Guard::new(true, &[]).unwrap();
        let asked = |hosts: &[&str]| {
            let headers: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
            guard.check(&request("GET", &headers)).is_ok()
        };
        for host in ["127.0.0.1:7878", "127.0.0.2", "localhost", "LocalHost:80", "[::1]:7878", "[::1]"] {
            assert!(asked(&[host]), "{host}");
        }
        for host in
            ["evil.example", "evil.example:7878", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", ""]
        {
            assert!(!asked(&[host]), "{host}");
        }
        assert!(asked(&[]), "HTTP/1.0");
        assert!(!asked(&["127.0.0.1", "evil.example"]));
        let absolute = Request::builder().uri("http://evil.example/").header("host", "127.0.0.1").body(()).unwrap();
        assert!(guard.check(&absolute).is_err());
        let everywhere = Guard::new(false, &[]).unwrap();
        assert!(everywhere.check(&request("GET", &[("host", "games.example")])).is_ok());
    }

    #[test]
    fn a_page_of_another_site_may_link_here_and_not_ask_unless_it_is_named() {
        let named = Guard::new(true, &["https://games.example".to_owned()]).unwrap();
        let asked = |guard: &Guard, method: &str, site: &str, more: &[(&str, &str)]| {
            let headers = [&[("host", "localhost:7878"), ("sec-fetch-site", site)], more].concat();
            guard.check(&request(method, &headers)).is_ok()
        };
        assert!(asked(&named, "GET", "same-origin", &[]));
        assert!(asked(&named, "GET", "none", &[]));
        assert!(!asked(&named, "GET", "cross-site", &[]));
        assert!(!asked(&named, "GET", "same-site", &[]), "another port of this machine");
        assert!(asked(&named, "GET", "cross-site", &[("sec-fetch-mode", "navigate")]));
        assert!(!asked(&named, "POST", "cross-site", &[("sec-fetch-mode", "navigate")]), "a form");
        assert!(asked(&named, "POST", "cross-site", &[("origin", "https://games.example")]));
        assert!(!asked(&named, "GET", "cross-site", &[("origin", "https://evil.example")]));
        let any = Guard::new(true, &["*".to_owned()]).unwrap();
        assert!(asked(&any, "GET", "cross-site", &[("origin", "https://evil.example")]));
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
