"""A partner's day: from the refresh token to two paid bookings, one of which seems to fail."""

import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urlencode

BASE_URL = os.environ.get("TEEBOX_BASE_URL", "http://127.0.0.1:4653")
TOKEN_FILE = Path(os.environ.get("TEEBOX_TOKEN_FILE", ".teebox-token"))
headers = {"Content-Type": "application/json"}


class Failure(Exception):
    """A call was refused, or has no readable answer (status 0)."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def send(method, path, body, extra):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BASE_URL}/api/{path}", data, {**headers, **(extra or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        return error.code, json.loads(text) if text.startswith("{") else {}
    except (OSError, ValueError, http.client.HTTPException) as error:
        return 0, {"message": f"No answer: {error}"}


def call(method, path, body=None, extra=None):
    status, answer = send(method, path, body, extra)
    if status == 401 and "Authorization" in headers:  # The access token has expired.
        refresh(TOKEN_FILE.read_text())
        status, answer = send(method, path, body, extra)
    if not answer.get("success"):
        raise Failure(status, answer.get("message") or f"{method} {path}: {status}")
    return answer["data"]


# 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
def refresh(token):
    headers.pop("Authorization", None)
    tokens = call("POST", "v5/token/refreshToken", {"refresh_token": token})
    TOKEN_FILE.touch(mode=0o600)
    TOKEN_FILE.write_text(tokens["refresh_token"])
    headers["Authorization"] = f"Bearer {tokens['access_token']}"
    print(f"access token for {tokens['expires_in']} s")


# The operator gives you the first token. A sandbox shows the one that is valid now.
def first_token():
    if "TEEBOX_REFRESH_TOKEN" in os.environ:
        return os.environ["TEEBOX_REFRESH_TOKEN"]
    with urllib.request.urlopen(f"{BASE_URL}/__admin/channels", timeout=10) as response:
        return json.load(response)["channels"][0]["refreshToken"]


kept = TOKEN_FILE.read_text() if TOKEN_FILE.exists() else first_token()
try:
    refresh(kept)
except Failure as failure:  # The sandbox was started again, or somebody else has used the token.
    if failure.status != 401 or kept == first_token():
        raise
    refresh(first_token())

# 2. Find the facilities of a country that are connected to the channel.
countries = call("GET", "v3/countries?connected=true")
facilities = call("GET", "v3/facilities?country=Spain&connected=true")
print(f"{len(countries)} countries, {len(facilities)} connected facilities in Spain")


# 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
def find_tee_time(day):
    query = urlencode({"bookingDate": day, "players": 2, "holes": 18})
    for facility in facilities:
        for tee_time in call("GET", f"v4/teetimes/{facility['id']}?{query}")["teeTimeV3"]:
            for product in tee_time["products"]:
                step = next((step for step in product["pricing"] if step["quantity"] == 2), None)
                if step and product["available"] >= 2:
                    price = step["price"]
                    print(f"{tee_time['time']}, {product['name']}: {price['amount']} {price['currency']} for two")
                    return {
                        "facilityId": facility["id"],
                        "teetime": tee_time["time"].replace("T", " "),
                        "course": tee_time["course"],
                        "players": 2,
                        "teeId": tee_time["teeid"],
                        "holes": tee_time["holes"],
                        "productId": product["mid"],
                        "netRate": step["netRate"]["amount"],
                    }
    raise SystemExit(f"Nothing is free on {day}.")


# 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the list
#    says so. It shows the e-mail address, so an address of its own finds the order.
def book(day, extra=None):
    email = f"ada+{uuid.uuid4()}@partner.example"
    contact = {"contactFirstName": "Ada", "contactLastName": "Lovelace", "contactPhone": "+31 20 555 0100"}
    order = {**find_tee_time(day), **contact, "contactEmail": email}
    try:
        call("POST", "v5/bookings", order, extra)
    except Failure as failure:
        print(f"failed: {failure}")
    for booking in call("GET", "v4/bookings"):
        if booking["contactEmail"] == email:
            print(f"in the list: {booking['bookingId']}, {booking['status']}")
            return booking["bookingId"]
    raise SystemExit("The list does not have the booking, so nothing was booked. Please try again later.")


# 5. Confirm the payment. The operation of v5 is paused, so use v4.
def pay(booking_id):
    call("POST", f"v4/bookings/payment/{booking_id}")
    print("payment confirmed")


day = (date.today() + timedelta(days=21)).strftime("%d-%m-%Y")
pay(book(day))

# 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
pay(book(day, {"Teebox-Scenario": "payment-pi-failed; phase=after-commit"}))

# 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
inbox = f"{BASE_URL}/__admin/inbox/partner-{uuid.uuid4()}"
ids = ",".join(str(facility["id"]) for facility in facilities[:5])
query = {"facilityIds": ids, "fromDate": day, "toDate": day, "players": 2, "holes": 18, "callbackUrl": inbox}
call("GET", f"v5/teetimes?{urlencode(query)}")
for _ in range(50):
    with urllib.request.urlopen(inbox, timeout=10) as response:
        messages = json.load(response)["messages"]
    if messages:
        print(f"callback with {len(messages[0]['body']['data'])} facilities")
        break
    time.sleep(0.1)
