# pip install standardwebhooks
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SAV_WEBHOOK_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            # The signature covers the raw bytes; the library expects header names in lower case.
            webhook.verify(body, {name.lower(): value for name, value in self.headers.items()})
        except WebhookVerificationError:
            return self.send_error(401)
        event = json.loads(body)
        print(event["event"], event["data"]["event_id"], flush=True)
        self.send_response(200)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
print("waiting", flush=True)
server.serve_forever()
