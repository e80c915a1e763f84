<?php
// php -S 127.0.0.1:4000 without-composer.php
$secret = base64_decode(substr(getenv('SAV_WEBHOOK_SECRET'), strlen('whsec_'))) ?: throw new Exception('SAV_WEBHOOK_SECRET is missing');
$headers = array_change_key_case(getallheaders());
$body = file_get_contents('php://input'); // The signature covers the raw bytes.
$id = $headers['webhook-id'] ?? '';
$timestamp = $headers['webhook-timestamp'] ?? '';
$signature = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));

// Signed within five minutes; during a rotation there is a signature by each secret.
$valid = ctype_digit($timestamp) && abs(time() - (int) $timestamp) <= 300 && array_filter(
    explode(' ', $headers['webhook-signature'] ?? ''),
    fn ($sent) => hash_equals($signature, $sent),
);
if (!$valid) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log("{$event['event']} {$event['data']['event_id']}");
