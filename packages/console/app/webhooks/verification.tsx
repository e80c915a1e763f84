import { useState } from 'preact/hooks'
import { CopyButton } from '../system/bits.js'
import { words } from '../words/words.js'

/** How a receiver verifies webhooks with the secret, in the programming language that the user selects. */
export function Verification() {
  const [language, setLanguage] = useState<keyof typeof snippets>('Node')
  const snippet = snippets[language]
  return (
    <div class="stack">
      <div class="row-apart">
        <h3>{words.value.webhooks.verify}</h3>
        <div class="choice">
          {names.map((name) => (
            <button key={name} type="button" aria-pressed={name === language} onClick={() => setLanguage(name)}>
              {name}
            </button>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <pre tabIndex={0}>
        <code>{snippet}</code>
      </pre>
      <div class="form-actions">
        <CopyButton text={snippet} name={words.value.copy} label={words.value.copy} />
      </div>
    </div>
  )
}

/** Each snippet uses its language's Standard Webhooks library, which also checks the time stamp. */
const snippets = {
  Node: `import { createServer } from 'node:http'
import { createWebhookListener } from '@sav/webhook-verify/node'

const listener = createWebhookListener(process.env.SAV_WEBHOOK_SECRET, async (event) => {
  console.log(event.event, event.data.event_id)
})
createServer(listener).listen(4000)`,
  Python: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ["SAV_WEBHOOK_SECRET"])

@app.post("/")
def receive():
    event = webhook.verify(request.get_data(), dict(request.headers))
    print(event["event"], event["data"]["event_id"])
    return "", 200`,
  PHP: `<?php // composer require standard-webhooks/standard-webhooks
require 'vendor/autoload.php';

$webhook = new \\StandardWebhooks\\Webhook(getenv('SAV_WEBHOOK_SECRET'));
$headers = array_change_key_case(getallheaders());
$event = $webhook->verify(file_get_contents('php://input'), $headers);
error_log($event['event'] . ' ' . $event['data']['event_id']);`,
  Go: `// go get github.com/standard-webhooks/standard-webhooks/libraries
webhook, _ := standardwebhooks.NewWebhook(os.Getenv("SAV_WEBHOOK_SECRET"))
http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if err := webhook.Verify(body, r.Header); err != nil {
		http.Error(w, "bad signature", http.StatusUnauthorized)
		return
	}
	log.Printf("%s", body)
})`,
} as const

const names = ['Node', 'Python', 'PHP', 'Go'] as const
