use http::{HeaderMap, HeaderName, HeaderValue};
use standardwebhooks::Webhook;
use std::env;
use std::io::Read;

fn main() {
    let webhook = Webhook::new(&env::var("SAV_WEBHOOK_SECRET").unwrap()).unwrap();
    let port = env::var("PORT").unwrap_or("4000".into());
    let server = tiny_http::Server::http(format!("127.0.0.1:{port}")).unwrap();
    println!("waiting");
    for mut request in server.incoming_requests() {
        let mut headers = HeaderMap::new();
        for header in request.headers() {
            let name = HeaderName::from_bytes(header.field.as_str().as_bytes());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(header.value.as_str())) {
                headers.append(name, value);
            }
        }
        // The signature covers the raw bytes.
        let mut body = Vec::new();
        let read = request.as_reader().take(1 << 20).read_to_end(&mut body);
        let status = match read.is_ok() && webhook.verify(&body, &headers).is_ok() {
            true => 200,
            false => 401,
        };
        if status == 200 {
            let event: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
            println!("{} {}", event["event"], event["data"]["event_id"]);
        }
        let _ = request.respond(tiny_http::Response::empty(status));
    }
}
