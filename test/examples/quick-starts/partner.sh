#!/bin/sh
# A partner's day: from the refresh token to two paid bookings, one of which seems to fail. Needs curl and jq.
set -eu
base_url=${TEEBOX_BASE_URL:-http://127.0.0.1:4653}
token_file=${TEEBOX_TOKEN_FILE:-.teebox-token}
umask 077 # Tokens are kept in files, because other users can read command lines.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
answer=$work/answer authorization=$work/authorization
: >"$authorization"

reason() { jq -r '.message // empty' "$answer" 2>/dev/null | grep . || echo "No answer (status $status)"; }
stop() { echo "$1" >&2 && exit 1; }

send() { # METHOD PATH [OPTION OF CURL ...]
  method=$1 path=$2 && shift 2 && : >"$answer"
  status=$(curl -sS --max-time 10 -X "$method" -H "@$authorization" -H 'Content-Type: application/json' \
    -o "$answer" -w '%{http_code}' "$@" "$base_url/api/$path") || status=0
}

call() { # The same, and fails unless the answer is a success
  send "$@"
  if [ "$status" = 401 ] && [ -s "$authorization" ]; then # The access token has expired.
    refresh "$(cat "$token_file")" || return 1
    send "$@"
  fi
  [ "$status" != 0 ] && jq -e '.success' "$answer" >"$work/success" 2>&1
}

# 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
refresh() {
  : >"$authorization"
  echo "{\"refresh_token\":\"$1\"}" >"$work/refresh"
  call POST v5/token/refreshToken -d "@$work/refresh" || return 1
  jq -j '.data.refresh_token' "$answer" >"$token_file"
  jq -r '.data | "Authorization: Bearer \(.access_token)"' "$answer" >"$authorization"
  jq -r '.data | "access token for \(.expires_in) s"' "$answer"
}

# The operator gives you the first token. A sandbox shows the one that is valid now.
first_token() {
  if [ -n "${TEEBOX_REFRESH_TOKEN:-}" ]; then echo "$TEEBOX_REFRESH_TOKEN" && return; fi
  curl -sS --max-time 10 "$base_url/__admin/channels" | jq -r '.channels[0].refreshToken'
}

kept=$(cat "$token_file" 2>/dev/null || first_token)
if ! refresh "$kept"; then # The sandbox was started again, or somebody else has used the token.
  [ "$status" = 401 ] || stop "$(reason)"
  first=$(first_token)
  [ "$kept" != "$first" ] && refresh "$first" || stop "$(reason)"
fi

# 2. Find the facilities of a country that are connected to the channel.
call GET 'v3/countries?connected=true' || stop "$(reason)"
countries=$(jq '.data | length' "$answer")
call GET 'v3/facilities?country=Spain&connected=true' || stop "$(reason)"
facilities=$(jq '.data[].id' "$answer")
echo "$countries countries, $(echo "$facilities" | wc -w | tr -d ' ') connected facilities in Spain"

# 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
find_tee_time() {
  for id in $facilities; do
    call GET "v4/teetimes/$id?bookingDate=$day&players=2&holes=18" || stop "$(reason)"
    jq --argjson facilityId "$id" '
      first(.data.teeTimeV3[] as $tee | $tee.products[] | select(.available >= 2) as $product
        | $product.pricing[] | select(.quantity == 2)
        | {said: "\($tee.time), \($product.name): \(.price.amount) \(.price.currency) for two",
           order: {$facilityId, course: $tee.course, teetime: ($tee.time | sub("T"; " ")), teeId: $tee.teeid,
             holes: $tee.holes, players: 2, productId: $product.mid, netRate: .netRate.amount}})' "$answer" >"$work/found"
    if [ -s "$work/found" ]; then jq -r '.said' "$work/found" && return; fi
  done
  stop "Nothing is free on $day."
}

# 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the list
#    says so. It shows the e-mail address, so an address of its own finds the order.
book() {
  find_tee_time
  email="ada+$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')@partner.example"
  jq --arg contactEmail "$email" '.order + {contactFirstName: "Ada", contactLastName: "Lovelace",
    contactPhone: "+31 20 555 0100", $contactEmail}' "$work/found" >"$work/order"
  call POST v5/bookings -d "@$work/order" "$@" || echo "failed: $(reason)"
  call GET v4/bookings || stop "$(reason)"
  jq --arg email "$email" '.data[] | select(.contactEmail == $email)' "$answer" >"$work/made"
  [ -s "$work/made" ] || stop 'The list does not have the booking, so nothing was booked. Please try again later.'
  jq -r '"in the list: \(.bookingId), \(.status)"' "$work/made"
}

# 5. Confirm the payment. The operation of v5 is paused, so use v4.
pay() {
  call POST "v4/bookings/payment/$(jq -r '.bookingId' "$work/made")" || stop "$(reason)"
  echo 'payment confirmed'
}

day=$(jq -nr 'now + 21 * 86400 | strftime("%d-%m-%Y")')
book && pay

# 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
book -H 'Teebox-Scenario: payment-pi-failed; phase=after-commit' && pay

# 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
inbox=$base_url/__admin/inbox/partner-$(date +%s)-$$
call GET v5/teetimes --get -d "facilityIds=$(echo "$facilities" | head -n 5 | paste -sd , -)" -d "fromDate=$day" \
  -d "toDate=$day" -d players=2 -d holes=18 --data-urlencode "callbackUrl=$inbox" || stop "$(reason)"
for _ in 1 2 3 4 5 6 7 8 9 10; do
  curl -sS --max-time 10 "$inbox" >"$answer"
  if jq -er '.messages[0] // empty | "callback with \(.body.data | length) facilities"' "$answer"; then break; fi
  sleep 0.5
done
