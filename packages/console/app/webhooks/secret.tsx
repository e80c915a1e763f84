import { useState } from 'preact/hooks'
import { Copyable, CopyButton } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { words } from '../words/words.js'

interface SecretProps {
  readonly secret: string
  readonly onDone: () => void
}

/** Shown once, with what a receiver does with it. */
export function Secret({ secret, onDone }: SecretProps) {
  const [language, setLanguage] = useState<keyof typeof snippets>('Node')
  const t = words.value.webhooks
  const snippet = snippets[language]
  return (
    <div class="stack">
      <h2>{t.secretTitle}</h2>
      <p class="hint-box">
        <Icon name="warning" />
        {t.secretText}
      </p>
      <Copyable text={secret} name={t.secretName} />
      <div class="row-apart">
        <h3>{t.verify}</h3>
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
        <button type="button" class="button primary" onClick={onDone}>
          {t.done}
        </button>
      </div>
    </div>
  )
}

/** Each with the Standard Webhooks library of its language, which checks the time stamp as well. */
const snippets = {
  Node: `import { createServer } from 'node:http'
import { createWebhookListener } from '@sav/webhook-verify/node'

const listener = createWebhookListener(process.env.WEBHOOK_SECRET, async (event) => {
  console.log(event.event, event.data.event_id)
})
createServer(listener).listen(4000)`,
  Python: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/")
def receive():
    event = webhook.verify(request.get_data(), dict(request.headers))
    print(event["event"], event["data"]["event_id"])
    return "", 200`,
  PHP: `<?php // composer require standard-webhooks/standard-webhooks
require 'vendor/autoload.php';

$webhook = new \\StandardWebhooks\\Webhook(getenv('WEBHOOK_SECRET'));
$headers = array_change_key_case(getallheaders());
$event = $webhook->verify(file_get_contents('php://input'), $headers);
error_log($event['event'] . ' ' . $event['data']['event_id']);`,
  Go: `// go get github.com/standard-webhooks/standard-webhooks/libraries
webhook, _ := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
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
