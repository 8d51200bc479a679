// A partner's day: from the refresh token to two paid bookings, one of which seems to fail. Needs Gson.

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

class Partner {
    static final String BASE_URL = env("TEEBOX_BASE_URL", "http://127.0.0.1:4653");
    static final Path TOKEN_FILE = Path.of(env("TEEBOX_TOKEN_FILE", ".teebox-token"));
    static final HttpClient CLIENT = HttpClient.newHttpClient();
    static final Gson GSON = new Gson();
    static String authorization;
    static List<Facility> facilities;

    record Tokens(String access_token, String refresh_token, int expires_in) {}

    record Facility(int id) {}

    record TeeSheet(List<TeeTime> teeTimeV3) {}

    record TeeTime(int teeid, String time, String course, int holes, List<Product> products) {}

    record Product(int mid, String name, int available, List<Step> pricing) {}

    record Step(int quantity, Money price, Money netRate) {}

    record Money(BigDecimal amount, String currency) {}

    record Booking(String bookingId, String status, String contactEmail) {}

    /** The status is 0 without a readable answer. */
    record Answer(int status, boolean success, JsonElement data, String message) {}

    /** A call was refused, or has no readable answer. */
    static class Failure extends Exception {
        final int status;

        Failure(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    static String env(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    static Answer send(String method, String path, Object body, String scenario) throws InterruptedException {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(GSON.toJson(body));
        var request = HttpRequest.newBuilder(URI.create(BASE_URL + "/api/" + path))
            .method(method, publisher)
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "application/json");
        if (authorization != null) request.header("Authorization", authorization);
        if (scenario != null) request.header("Teebox-Scenario", scenario);
        try {
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            var answer = GSON.fromJson(response.body(), Answer.class);
            if (answer == null) return new Answer(response.statusCode(), false, null, null);
            return new Answer(response.statusCode(), answer.success, answer.data, answer.message);
        } catch (IOException | JsonParseException error) {
            return new Answer(0, false, null, "No answer: " + error);
        }
    }

    static JsonElement call(String method, String path, Object body, String scenario) throws Exception {
        var answer = send(method, path, body, scenario);
        if (answer.status == 401 && authorization != null) { // The access token has expired.
            refresh(Files.readString(TOKEN_FILE));
            answer = send(method, path, body, scenario);
        }
        if (answer.success) return answer.data;
        var message = answer.message == null ? method + " " + path + ": " + answer.status : answer.message;
        throw new Failure(answer.status, message);
    }

    static <T> T get(Class<T> type, String path) throws Exception {
        return GSON.fromJson(call("GET", path, null, null), type);
    }

    // 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
    static void refresh(String token) throws Exception {
        authorization = null;
        var data = call("POST", "v5/token/refreshToken", Map.of("refresh_token", token), null);
        var tokens = GSON.fromJson(data, Tokens.class);
        Files.writeString(TOKEN_FILE, tokens.refresh_token);
        authorization = "Bearer " + tokens.access_token;
        System.out.printf("access token for %d s%n", tokens.expires_in);
    }

    // The operator gives you the first token. A sandbox shows the one that is valid now.
    static String firstToken() throws Exception {
        var given = env("TEEBOX_REFRESH_TOKEN", "");
        if (!given.isEmpty()) return given;
        var request = HttpRequest.newBuilder(URI.create(BASE_URL + "/__admin/channels")).timeout(Duration.ofSeconds(10));
        var shown = JsonParser.parseString(CLIENT.send(request.build(), BodyHandlers.ofString()).body()).getAsJsonObject();
        return shown.getAsJsonArray("channels").get(0).getAsJsonObject().get("refreshToken").getAsString();
    }

    static void start() throws Exception {
        var kept = Files.exists(TOKEN_FILE) ? Files.readString(TOKEN_FILE) : firstToken();
        try {
            refresh(kept);
        } catch (Failure failure) { // The sandbox was started again, or somebody else has used the token.
            if (failure.status != 401 || kept.equals(firstToken())) throw failure;
            refresh(firstToken());
        }
    }

    // 2. Find the facilities of a country that are connected to the channel.
    static void findFacilities() throws Exception {
        var countries = get(String[].class, "v3/countries?connected=true");
        facilities = List.of(get(Facility[].class, "v3/facilities?country=Spain&connected=true"));
        System.out.printf("%d countries, %d connected facilities in Spain%n", countries.length, facilities.size());
    }

    // 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
    static Map<String, Object> findTeeTime(String day) throws Exception {
        for (var facility : facilities) {
            var path = "v4/teetimes/%d?bookingDate=%s&players=2&holes=18".formatted(facility.id, day);
            for (var teeTime : get(TeeSheet.class, path).teeTimeV3) {
                for (var product : teeTime.products) {
                    for (var step : product.pricing) {
                        if (step.quantity != 2 || product.available < 2) continue;
                        var price = step.price.amount + " " + step.price.currency;
                        System.out.printf("%s, %s: %s for two%n", teeTime.time, product.name, price);
                        return Map.of(
                            "facilityId", facility.id,
                            "teetime", teeTime.time.replace('T', ' '),
                            "course", teeTime.course,
                            "players", 2,
                            "teeId", teeTime.teeid,
                            "holes", teeTime.holes,
                            "productId", product.mid,
                            "netRate", step.netRate.amount
                        );
                    }
                }
            }
        }
        throw new IllegalStateException("Nothing is free on " + day + ".");
    }

    // 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the
    //    list says so. It shows the e-mail address, so an address of its own finds the order.
    static String book(String day, String scenario) throws Exception {
        var email = "ada+" + UUID.randomUUID() + "@partner.example";
        var order = new HashMap<>(findTeeTime(day));
        order.put("contactFirstName", "Ada");
        order.put("contactLastName", "Lovelace");
        order.put("contactPhone", "+31 20 555 0100");
        order.put("contactEmail", email);
        try {
            call("POST", "v5/bookings", order, scenario);
        } catch (Failure failure) {
            System.out.println("failed: " + failure.getMessage());
        }
        for (var booking : get(Booking[].class, "v4/bookings")) {
            if (!email.equals(booking.contactEmail)) continue;
            System.out.printf("in the list: %s, %s%n", booking.bookingId, booking.status);
            return booking.bookingId;
        }
        throw new IllegalStateException(
            "The list does not have the booking, so nothing was booked. Please try again later.");
    }

    // 5. Confirm the payment. The operation of v5 is paused, so use v4.
    static void pay(String bookingId) throws Exception {
        call("POST", "v4/bookings/payment/" + bookingId, null, null);
        System.out.println("payment confirmed");
    }

    public static void main(String[] args) throws Exception {
        start();
        findFacilities();
        var day = LocalDate.now().plusDays(21).format(DateTimeFormatter.ofPattern("dd-MM-yyyy"));
        pay(book(day, null));

        // 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
        pay(book(day, "payment-pi-failed; phase=after-commit"));

        // 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
        var inbox = BASE_URL + "/__admin/inbox/partner-" + UUID.randomUUID();
        var ids = facilities.stream().limit(5).map(one -> "" + one.id).collect(Collectors.joining(","));
        call("GET", "v5/teetimes?facilityIds=%s&fromDate=%s&toDate=%s&players=2&holes=18&callbackUrl=%s"
            .formatted(ids, day, day, URLEncoder.encode(inbox, StandardCharsets.UTF_8)), null, null);
        var request = HttpRequest.newBuilder(URI.create(inbox)).timeout(Duration.ofSeconds(10)).build();
        for (var count = 0; count < 50; count++) {
            var received = JsonParser.parseString(CLIENT.send(request, BodyHandlers.ofString()).body());
            var messages = received.getAsJsonObject().getAsJsonArray("messages");
            if (messages.size() > 0) {
                var body = messages.get(0).getAsJsonObject().getAsJsonObject("body");
                System.out.printf("callback with %d facilities%n", body.getAsJsonArray("data").size());
                break;
            }
            Thread.sleep(100);
        }
    }
}
