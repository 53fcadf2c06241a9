//! Which address asks which question.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::compression::{CompressionLayer, CompressionLevel};

use crate::app::App;
use crate::refusal::Refusal;
use crate::{OPENAPI, api, assets, search};

/// The page may load its own files and nothing else.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// All addresses.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/games", get(api::games))
        .route("/api/openapi.json", get(openapi))
        .route("/api/{game}/view", get(api::view))
        .route("/api/{game}/moves", get(api::moves))
        .route("/api/{game}/probe", get(api::probe).post(api::probe_many))
        .route("/api/{game}/line", get(api::line))
        .route("/api/{game}/stats", get(api::stats))
        .route("/api/{game}/stats.csv", get(api::stats_csv))
        .route("/api/{game}/longest", get(api::longest_games))
        .route("/api/{game}/find", get(search::find))
        .route("/api/{game}/puzzle", get(search::puzzle))
        .route("/api/{game}/solve", get(api::progress).post(api::solve))
        .method_not_allowed_fallback(wrong_method)
        .fallback(assets::file)
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(axum::middleware::map_response(guarded))
        .with_state(app)
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], OPENAPI).into_response()
}

async fn wrong_method() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "there is no such method here: see /api/openapi.json")
}

async fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
