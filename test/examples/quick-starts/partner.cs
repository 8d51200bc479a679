// A partner's day: from the refresh token to two paid bookings, one of which seems to fail.
using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading.Tasks;

static class Partner
{
    static readonly string BaseUrl = Env("TEEBOX_BASE_URL", "http://127.0.0.1:4653");
    static readonly string TokenFile = Env("TEEBOX_TOKEN_FILE", ".teebox-token");
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
    static string authorization;
    static JsonArray facilities;

    /// <summary>A call was refused, or has no readable answer (status 0).</summary>
    class Failure : Exception
    {
        public int Status { get; }

        public Failure(int status, string message) : base(message) => Status = status;
    }

    static string Env(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;

    static async Task<JsonNode> Send(HttpMethod method, string path, JsonObject body, string scenario)
    {
        var request = new HttpRequestMessage(method, $"{BaseUrl}/api/{path}");
        if (body != null) request.Content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json");
        if (authorization != null) request.Headers.Add("Authorization", authorization);
        if (scenario != null) request.Headers.Add("Teebox-Scenario", scenario);
        int status = 0;
        try
        {
            var response = await Client.SendAsync(request);
            var text = await response.Content.ReadAsStringAsync();
            status = (int)response.StatusCode;
            var answer = JsonNode.Parse(text);
            if ((bool?)answer["success"] == true) return answer["data"];
            throw new Failure(status, (string)answer["message"] ?? $"{method} {path}: {status}");
        }
        catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException || error is JsonException)
        {
            throw new Failure(status, $"No answer: {error.Message}");
        }
    }

    static async Task<JsonNode> Call(HttpMethod method, string path, JsonObject body = null, string scenario = null)
    {
        try
        {
            return await Send(method, path, body, scenario);
        }
        catch (Failure failure) when (failure.Status == 401 && authorization != null)
        {
            await Refresh(File.ReadAllText(TokenFile)); // The access token has expired.
            return await Send(method, path, body, scenario);
        }
    }

    // 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
    static async Task Refresh(string token)
    {
        authorization = null;
        var body = new JsonObject { ["refresh_token"] = token };
        var tokens = await Call(HttpMethod.Post, "v5/token/refreshToken", body);
        File.WriteAllText(TokenFile, (string)tokens["refresh_token"]);
        authorization = $"Bearer {tokens["access_token"]}";
        Console.WriteLine($"access token for {tokens["expires_in"]} s");
    }

    // The operator gives you the first token. A sandbox shows the one that is valid now.
    static async Task<string> FirstToken()
    {
        var given = Env("TEEBOX_REFRESH_TOKEN", "");
        if (given != "") return given;
        var shown = JsonNode.Parse(await Client.GetStringAsync($"{BaseUrl}/__admin/channels"));
        return (string)shown["channels"].AsArray()[0]["refreshToken"];
    }

    static async Task Start()
    {
        var kept = File.Exists(TokenFile) ? File.ReadAllText(TokenFile) : await FirstToken();
        try
        {
            await Refresh(kept);
        }
        catch (Failure failure) when (failure.Status == 401)
        {
            var first = await FirstToken(); // The sandbox was started again, or somebody else has used the token.
            if (kept == first) throw;
            await Refresh(first);
        }
    }

    // 2. Find the facilities of a country that are connected to the channel.
    static async Task FindFacilities()
    {
        var countries = (await Call(HttpMethod.Get, "v3/countries?connected=true")).AsArray();
        facilities = (await Call(HttpMethod.Get, "v3/facilities?country=Spain&connected=true")).AsArray();
        Console.WriteLine($"{countries.Count} countries, {facilities.Count} connected facilities in Spain");
    }

    // 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
    static async Task<JsonObject> FindTeeTime(string day)
    {
        foreach (var facility in facilities)
        {
            var sheet = await Call(HttpMethod.Get, $"v4/teetimes/{facility["id"]}?bookingDate={day}&players=2&holes=18");
            foreach (var teeTime in sheet["teeTimeV3"].AsArray())
            foreach (var product in teeTime["products"].AsArray())
            {
                var step = product["pricing"].AsArray().FirstOrDefault(one => (int)one["quantity"] == 2);
                if (step == null || (int)product["available"] < 2) continue;
                var price = $"{step["price"]["amount"]} {step["price"]["currency"]}";
                Console.WriteLine($"{teeTime["time"]}, {product["name"]}: {price} for two");
                return new JsonObject
                {
                    ["facilityId"] = (int)facility["id"],
                    ["teetime"] = ((string)teeTime["time"]).Replace("T", " "),
                    ["course"] = (string)teeTime["course"],
                    ["players"] = 2,
                    ["teeId"] = (int)teeTime["teeid"],
                    ["holes"] = (int)teeTime["holes"],
                    ["productId"] = (int)product["mid"],
                    ["netRate"] = (decimal)step["netRate"]["amount"],
                };
            }
        }
        throw new Exception($"Nothing is free on {day}.");
    }

    // 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the
    //    list says so. It shows the e-mail address, so an address of its own finds the order.
    static async Task<string> Book(string day, string scenario = null)
    {
        var email = $"ada+{Guid.NewGuid()}@partner.example";
        var order = await FindTeeTime(day);
        order["contactFirstName"] = "Ada";
        order["contactLastName"] = "Lovelace";
        order["contactPhone"] = "+31 20 555 0100";
        order["contactEmail"] = email;
        try
        {
            await Call(HttpMethod.Post, "v5/bookings", order, scenario);
        }
        catch (Failure failure)
        {
            Console.WriteLine($"failed: {failure.Message}");
        }
        var list = (await Call(HttpMethod.Get, "v4/bookings")).AsArray();
        var made = list.FirstOrDefault(booking => (string)booking["contactEmail"] == email)
            ?? throw new Exception("The list does not have the booking, so nothing was booked. Please try again later.");
        Console.WriteLine($"in the list: {made["bookingId"]}, {made["status"]}");
        return (string)made["bookingId"];
    }

    // 5. Confirm the payment. The operation of v5 is paused, so use v4.
    static async Task Pay(string bookingId)
    {
        await Call(HttpMethod.Post, $"v4/bookings/payment/{bookingId}");
        Console.WriteLine("payment confirmed");
    }

    internal static async Task Main()
    {
        await Start();
        await FindFacilities();
        var day = DateTime.Today.AddDays(21).ToString("dd-MM-yyyy");
        await Pay(await Book(day));

        // 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
        await Pay(await Book(day, "payment-pi-failed; phase=after-commit"));

        // 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
        var inbox = $"{BaseUrl}/__admin/inbox/partner-{Guid.NewGuid()}";
        var ids = string.Join(",", facilities.Take(5).Select(one => one["id"].ToString()));
        await Call(HttpMethod.Get, $"v5/teetimes?facilityIds={ids}&fromDate={day}&toDate={day}&players=2&holes=18"
            + $"&callbackUrl={Uri.EscapeDataString(inbox)}");
        for (var count = 0; count < 50; count++)
        {
            var messages = JsonNode.Parse(await Client.GetStringAsync(inbox))["messages"].AsArray();
            if (messages.Count > 0)
            {
                Console.WriteLine($"callback with {messages[0]["body"]["data"].AsArray().Count} facilities");
                break;
            }
            await Task.Delay(100);
        }
    }
}
