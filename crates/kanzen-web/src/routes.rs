//! The routing table and middleware.
//!
//! A new route needs a line here, a handler in `api.rs` that names its work class, and a description in `openapi.json`.
//! Limits, metrics and the log apply to it automatically.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::compression::predicate::{DefaultPredicate, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel, Predicate};

use crate::api::REVALIDATED;
use crate::app::App;
use crate::assets::has_tag;
use crate::client::Peer;
use crate::params::{GamePath, NoParams};
use crate::refusal::Refusal;
use crate::{OPENAPI, api, assets, search};

/// Content-Security-Policy: the page loads its own files only.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Minimum size of a compressed response: a smaller one fits into one packet anyway.
const MIN_COMPRESSED: u16 = 1 << 10;

/// Builds the router.
pub fn router(app: Arc<App>) -> Router {
    // Answers that depend on the rules and the database only: caches revalidate them by edition.
    let editions = Router::new()
        .route("/api/{game}/view", get(api::view))
        .route("/api/{game}/moves", get(api::moves))
        .route("/api/{game}/probe", get(api::probe).post(api::probe_many))
        .route("/api/{game}/line", get(api::line))
        .route("/api/{game}/stats", get(api::stats))
        .route("/api/{game}/stats.csv", get(api::stats_csv))
        .route("/api/{game}/longest", get(api::longest_games))
        .route("/api/{game}/find", get(search::find))
        .route("/api/{game}/puzzle", get(search::puzzle))
        .route_layer(from_fn_with_state(app.clone(), revalidate));
    let routes = Router::new()
        .route("/api/games", get(api::games))
        .route("/api/openapi.json", get(openapi))
        .route("/api/schemas", get(assets::schema_names))
        .route("/api/schemas/{schema}", get(assets::schema))
        .route("/api/{game}/game", post(api::game))
        .route("/api/{game}/reply", get(api::reply))
        .route("/api/{game}/provenance", get(api::provenance))
        .route("/api/{game}/solve", get(api::progress).post(api::solve).delete(api::cancel))
        .route("/metrics", get(metrics))
        .merge(editions)
        .method_not_allowed_fallback(wrong_method)
        .fallback(assets::file)
        .layer(compression());
    // Each layer costs every request some microseconds, so CORS is added only if configured.
    let routes = match app.origin_check.cors() {
        Some(cors) => routes.layer(cors),
        None => routes,
    };
    routes.layer(from_fn_with_state(app.clone(), observe)).with_state(app)
}

fn compression() -> CompressionLayer<impl Predicate> {
    let worth_it = DefaultPredicate::new().and(SizeAbove::new(MIN_COMPRESSED));
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it)
}

async fn openapi(headers: HeaderMap, _: NoParams) -> Response {
    assets::tagged(&headers, assets::OPENAPI_HASH, "application/json", OPENAPI.as_bytes())
}

async fn metrics(State(app): State<Arc<App>>, _: NoParams) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")];
    (headers, app.metrics.show(&app)).into_response()
}

async fn wrong_method() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed: see /api/openapi.json")
}

/// Middleware for answers about a game: adds a validator, and responds with 304 to a client that has the answer.
async fn revalidate(State(app): State<Arc<App>>, GamePath(game): GamePath, request: Request, next: Next) -> Response {
    if request.method() == Method::POST {
        return next.run(request).await;
    }
    // Read before the answer: of a database that is replaced meanwhile, the next request gets the new answer.
    let tag = app.tag(&game);
    let mut response = match has_tag(request.headers(), &tag) {
        true => (StatusCode::NOT_MODIFIED, [(header::CACHE_CONTROL, REVALIDATED)]).into_response(),
        false => next.run(request).await,
    };
    if matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED)
        && let Ok(tag) = HeaderValue::from_str(&tag)
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Middleware for every request: checks its origin, adds security headers, counts it and logs it.
async fn observe(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let logged = app.log.as_ref().map(|log| {
        let address = request.extensions().get::<Peer>().map(|peer| peer.address);
        (log, address, request.uri().clone())
    });
    let mut response = match app.origin_check.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    add_security_headers(response.headers_mut());
    let (status, time) = (response.status(), start.elapsed());
    app.metrics.count(route.as_ref().map_or("page", MatchedPath::as_str), &method, status, time);
    if let Some((log, address, uri)) = logged {
        log.line(address, &method, &uri, status, time);
    }
    response
}

fn add_security_headers(headers: &mut HeaderMap) {
    // A file may set its own policy.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}
