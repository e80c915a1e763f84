<?php
// composer require standard-webhooks/standard-webhooks:dev-main
// php -S 127.0.0.1:4000 receiver.php
require __DIR__ . '/vendor/autoload.php';

$webhook = new StandardWebhooks\Webhook(getenv('SAV_WEBHOOK_SECRET'));
$body = file_get_contents('php://input'); // The signature covers the raw bytes.
try {
    $webhook->verify($body, array_change_key_case(getallheaders()));
} catch (Exception) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log("{$event['event']} {$event['data']['event_id']}");
