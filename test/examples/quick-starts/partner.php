<?php
// A partner's day: from the refresh token to two paid bookings, one of which seems to fail. Needs the extension curl.
declare(strict_types=1);

$baseUrl = getenv('TEEBOX_BASE_URL') ?: 'http://127.0.0.1:4653';
$tokenFile = getenv('TEEBOX_TOKEN_FILE') ?: '.teebox-token';
$authorization = [];

/** A call was refused, or has no readable answer (code 0). */
class Failure extends Exception {}

function send(string $method, string $path, ?array $body, array $extra): array
{
    global $baseUrl, $authorization;
    $curl = curl_init("$baseUrl/api/$path");
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['Content-Type: application/json', ...$authorization, ...$extra],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    }
    $text = curl_exec($curl);
    if ($text === false) {
        return [0, ['message' => 'No answer: ' . curl_error($curl)]];
    }
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), json_decode($text, true) ?? []];
}

function call(string $method, string $path, ?array $body = null, array $extra = []): mixed
{
    global $tokenFile, $authorization;
    [$status, $answer] = send($method, $path, $body, $extra);
    if ($status === 401 && $authorization) { // The access token has expired.
        refresh(file_get_contents($tokenFile));
        [$status, $answer] = send($method, $path, $body, $extra);
    }
    if (!($answer['success'] ?? false)) {
        throw new Failure($answer['message'] ?? "$method $path: $status", $status);
    }
    return $answer['data'];
}

// 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
function refresh(string $token): void
{
    global $tokenFile, $authorization;
    $authorization = [];
    $tokens = call('POST', 'v5/token/refreshToken', ['refresh_token' => $token]);
    touch($tokenFile);
    chmod($tokenFile, 0600);
    file_put_contents($tokenFile, $tokens['refresh_token']);
    $authorization = ["Authorization: Bearer {$tokens['access_token']}"];
    echo "access token for {$tokens['expires_in']} s\n";
}

/** The operator gives you the first token. A sandbox shows the one that is valid now. */
function firstToken(): string
{
    global $baseUrl;
    return getenv('TEEBOX_REFRESH_TOKEN')
        ?: json_decode(file_get_contents("$baseUrl/__admin/channels"), true)['channels'][0]['refreshToken'];
}

$kept = is_file($tokenFile) ? file_get_contents($tokenFile) : firstToken();
try {
    refresh($kept);
} catch (Failure $failure) { // The sandbox was started again, or somebody else has used the token.
    if ($failure->getCode() !== 401 || $kept === firstToken()) {
        throw $failure;
    }
    refresh(firstToken());
}

// 2. Find the facilities of a country that are connected to the channel.
$countries = call('GET', 'v3/countries?connected=true');
$facilities = array_column(call('GET', 'v3/facilities?country=Spain&connected=true'), 'id');
printf("%d countries, %d connected facilities in Spain\n", count($countries), count($facilities));

// 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
function findTeeTime(string $day): array
{
    global $facilities;
    foreach ($facilities as $id) {
        $sheet = call('GET', "v4/teetimes/$id?bookingDate=$day&players=2&holes=18");
        foreach ($sheet['teeTimeV3'] as $teeTime) {
            foreach ($teeTime['products'] as $product) {
                $step = array_column($product['pricing'], null, 'quantity')[2] ?? null;
                if ($step === null || $product['available'] < 2) {
                    continue;
                }
                ['amount' => $amount, 'currency' => $currency] = $step['price'];
                echo "{$teeTime['time']}, {$product['name']}: $amount $currency for two\n";
                return [
                    'facilityId' => $id,
                    'course' => $teeTime['course'],
                    'teetime' => str_replace('T', ' ', $teeTime['time']),
                    'teeId' => $teeTime['teeid'],
                    'holes' => $teeTime['holes'],
                    'players' => 2,
                    'productId' => $product['mid'],
                    'netRate' => $step['netRate']['amount'],
                ];
            }
        }
    }
    throw new Exception("Nothing is free on $day.");
}

// 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the list
//    says so. It shows the e-mail address, so an address of its own finds the order.
function book(string $day, array $extra = []): string
{
    $email = 'ada+' . bin2hex(random_bytes(8)) . '@partner.example';
    $contact = ['contactFirstName' => 'Ada', 'contactLastName' => 'Lovelace', 'contactPhone' => '+31 20 555 0100'];
    $order = [...findTeeTime($day), ...$contact, 'contactEmail' => $email];
    try {
        call('POST', 'v5/bookings', $order, $extra);
    } catch (Failure $failure) {
        echo "failed: {$failure->getMessage()}\n";
    }
    foreach (call('GET', 'v4/bookings') as $booking) {
        if ($booking['contactEmail'] === $email) {
            echo "in the list: {$booking['bookingId']}, {$booking['status']}\n";
            return $booking['bookingId'];
        }
    }
    throw new Exception('The list does not have the booking, so nothing was booked. Please try again later.');
}

// 5. Confirm the payment. The operation of v5 is paused, so use v4.
function pay(string $bookingId): void
{
    call('POST', "v4/bookings/payment/$bookingId");
    echo "payment confirmed\n";
}

$day = gmdate('d-m-Y', strtotime('+21 days'));
pay(book($day));

// 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
pay(book($day, ['Teebox-Scenario: payment-pi-failed; phase=after-commit']));

// 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
$inbox = "$baseUrl/__admin/inbox/partner-" . bin2hex(random_bytes(8));
$ids = implode(',', array_slice($facilities, 0, 5));
$query = ['facilityIds' => $ids, 'fromDate' => $day, 'toDate' => $day, 'players' => 2, 'holes' => 18];
call('GET', 'v5/teetimes?' . http_build_query([...$query, 'callbackUrl' => $inbox]));
for ($count = 0; $count < 50; $count++) {
    $messages = json_decode(file_get_contents($inbox), true)['messages'];
    if ($messages) {
        echo 'callback with ', count($messages[0]['body']['data']), " facilities\n";
        break;
    }
    usleep(100_000);
}
