import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;

public class Receiver {
  public static void main(String[] args) throws Exception {
    Webhook webhook = new Webhook(System.getenv("SAV_WEBHOOK_SECRET"));
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4000"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", call -> {
      // The signature covers the raw bytes, which are UTF-8.
      String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      int status = 200;
      try {
        webhook.verify(body, HttpHeaders.of(call.getRequestHeaders(), (name, value) -> true));
        System.out.println(body);
      } catch (WebhookVerificationException refused) {
        status = 401;
      }
      call.sendResponseHeaders(status, -1);
      call.close();
    });
    server.start();
    System.out.println("waiting");
  }
}
