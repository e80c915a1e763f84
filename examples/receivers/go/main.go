package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SAV_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		// The signature covers the raw bytes.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || webhook.Verify(body, r.Header) != nil {
			http.Error(w, "refused", http.StatusUnauthorized)
			return
		}
		var event struct {
			Event string
			Data  struct {
				EventID string `json:"event_id"`
			}
		}
		if json.Unmarshal(body, &event) != nil {
			http.Error(w, "no event", http.StatusBadRequest)
			return
		}
		fmt.Println(event.Event, event.Data.EventID)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("waiting")
	log.Fatal(http.Serve(listener, nil))
}
