//! Which address asks which question.
//!
//! A new question is a line here, a function in `api.rs` that names the lane of its work, and its description in
//! `openapi.json`; limits, metrics and the log come with that.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::compression::predicate::{DefaultPredicate, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel, Predicate};

use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Caller;
use crate::{OPENAPI, api, asked, assets, provenance, schemas, search};

/// The page may load its own files and nothing else.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The least bytes that are worth compressing: fewer fit into one packet as they are.
const LEAST: u16 = 1 << 10;

/// All addresses.
pub fn router(app: Arc<App>) -> Router {
    let routes = Router::new()
        .route("/api/games", get(api::games))
        .route("/api/openapi.json", get(openapi))
        .route("/api/schemas", get(schemas::names))
        .route("/api/schemas/{schema}", get(schemas::schema))
        .route("/api/{game}/view", get(api::view))
        .route("/api/{game}/moves", get(api::moves))
        .route("/api/{game}/probe", get(api::probe).post(api::probe_many))
        .route("/api/{game}/reply", get(api::reply))
        .route("/api/{game}/line", get(api::line))
        .route("/api/{game}/stats", get(api::stats))
        .route("/api/{game}/stats.csv", get(api::stats_csv))
        .route("/api/{game}/longest", get(api::longest_games))
        .route("/api/{game}/find", get(search::find))
        .route("/api/{game}/puzzle", get(search::puzzle))
        .route("/api/{game}/provenance", get(provenance::provenance))
        .route("/api/{game}/solve", get(api::progress).post(api::solve).delete(api::cancel))
        .route("/metrics", get(metrics))
        .method_not_allowed_fallback(wrong_method)
        .fallback(assets::file)
        .layer(compression());
    // Each layer costs every request some microseconds: this one is there only where other pages may ask.
    let routes = match app.guard.cors() {
        Some(cors) => routes.layer(cors),
        None => routes,
    };
    routes.layer(from_fn_with_state(app.clone(), watched)).with_state(app)
}

fn compression() -> CompressionLayer<impl Predicate> {
    let worth_it = DefaultPredicate::new().and(SizeAbove::new(LEAST));
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it)
}

async fn openapi(_: asked::Nothing) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], OPENAPI).into_response()
}

async fn metrics(State(app): State<Arc<App>>, _: asked::Nothing) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")];
    (headers, app.metrics.show(&app)).into_response()
}

async fn wrong_method() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "there is no such method here: see /api/openapi.json")
}

/// What every request goes through: what other sites ask is refused, every answer has the policy of the page, is
/// counted, and logged where that is wanted.
async fn watched(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let logged = app.log.as_ref().map(|log| {
        let address = request.extensions().get::<Caller>().map(|caller| caller.address);
        (log, address, request.uri().clone())
    });
    let mut response = match app.guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    keep_to_policy(response.headers_mut());
    let (status, time) = (response.status(), start.elapsed());
    app.metrics.count(route.as_ref().map_or("page", MatchedPath::as_str), &method, status, time);
    if let Some((log, address, uri)) = logged {
        log.line(address, &method, &uri, status, time);
    }
    response
}

fn keep_to_policy(headers: &mut HeaderMap) {
    // A file may have a policy of its own.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}
