// A partner's day: from the refresh token to two paid bookings, one of which seems to fail.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

var (
	baseURL       = env("TEEBOX_BASE_URL", "http://127.0.0.1:4653")
	tokenFile     = env("TEEBOX_TOKEN_FILE", ".teebox-token")
	authorization string
	facilities    []facility
	client        = http.Client{Timeout: 10 * time.Second}
)

type tokenSet struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	ExpiresIn    int    `json:"expires_in"`
}

type facility struct{ ID int }

type booking struct{ BookingID, Status, ContactEmail string }

type teeSheet struct {
	TeeTimeV3 []struct {
		TeeID, Holes int
		Time, Course string
		Products     []struct {
			Mid, Available int
			Name           string
			Pricing        []struct {
				Quantity       int
				Price, NetRate struct {
					Amount   json.Number
					Currency string
				}
			}
		}
	}
}

// A failure is a call that was refused, or that has no readable answer (status 0).
type failure struct {
	status  int
	message string
}

func (f failure) Error() string { return f.message }

func isRefused(err error) bool {
	failed, ok := err.(failure)
	return ok && failed.status == 401
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// must ends the program with the message of an error.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func random() string {
	bytes := make([]byte, 8)
	rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

func send[T any](method, path string, body any, scenario string) (T, error) {
	var answer struct {
		Success bool
		Data    T
		Message string
	}
	text := must(json.Marshal(body))
	request := must(http.NewRequest(method, baseURL+"/api/"+path, bytes.NewReader(text)))
	request.Header.Set("Content-Type", "application/json")
	for name, value := range map[string]string{"Authorization": authorization, "Teebox-Scenario": scenario} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := client.Do(request)
	if err != nil {
		return answer.Data, failure{0, "No answer: " + err.Error()}
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&answer)
	if err == nil && answer.Success {
		return answer.Data, nil
	}
	if answer.Message == "" {
		answer.Message = fmt.Sprintf("%s %s: %s", method, path, response.Status)
	}
	return answer.Data, failure{response.StatusCode, answer.Message}
}

func call[T any](method, path string, body any, scenario string) (T, error) {
	data, err := send[T](method, path, body, scenario)
	if isRefused(err) && authorization != "" { // The access token has expired.
		if err := refresh(string(must(os.ReadFile(tokenFile)))); err != nil {
			return data, err
		}
		return send[T](method, path, body, scenario)
	}
	return data, err
}

// 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
func refresh(token string) error {
	authorization = ""
	tokens, err := call[tokenSet]("POST", "v5/token/refreshToken", map[string]string{"refresh_token": token}, "")
	if err != nil {
		return err
	}
	if err := os.WriteFile(tokenFile, []byte(tokens.RefreshToken), 0o600); err != nil {
		return err
	}
	authorization = "Bearer " + tokens.AccessToken
	fmt.Printf("access token for %d s\n", tokens.ExpiresIn)
	return nil
}

// The operator gives you the first token. A sandbox shows the one that is valid now.
func firstToken() string {
	if given := os.Getenv("TEEBOX_REFRESH_TOKEN"); given != "" {
		return given
	}
	var shown struct{ Channels []struct{ RefreshToken string } }
	response := must(client.Get(baseURL + "/__admin/channels"))
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&shown); err != nil || len(shown.Channels) == 0 {
		log.Fatal("Please set TEEBOX_REFRESH_TOKEN to the token that the operator gave you.")
	}
	return shown.Channels[0].RefreshToken
}

func start() {
	text, err := os.ReadFile(tokenFile)
	kept := string(text)
	if err != nil {
		kept = firstToken()
	}
	err = refresh(kept)
	if isRefused(err) { // The sandbox was started again, or somebody else has used the token.
		if first := firstToken(); first != kept {
			err = refresh(first)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}

// 2. Find the facilities of a country that are connected to the channel.
func findFacilities() {
	countries := must(call[[]string]("GET", "v3/countries?connected=true", nil, ""))
	facilities = must(call[[]facility]("GET", "v3/facilities?country=Spain&connected=true", nil, ""))
	fmt.Printf("%d countries, %d connected facilities in Spain\n", len(countries), len(facilities))
}

// 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
func findTeeTime(day string) map[string]any {
	for _, facility := range facilities {
		path := fmt.Sprintf("v4/teetimes/%d?bookingDate=%s&players=2&holes=18", facility.ID, day)
		for _, teeTime := range must(call[teeSheet]("GET", path, nil, "")).TeeTimeV3 {
			for _, product := range teeTime.Products {
				for _, step := range product.Pricing {
					if step.Quantity != 2 || product.Available < 2 {
						continue
					}
					fmt.Printf("%s, %s: %s %s for two\n", teeTime.Time, product.Name, step.Price.Amount, step.Price.Currency)
					return map[string]any{
						"facilityId": facility.ID,
						"teetime":    strings.Replace(teeTime.Time, "T", " ", 1),
						"course":     teeTime.Course,
						"players":    2,
						"teeId":      teeTime.TeeID,
						"holes":      teeTime.Holes,
						"productId":  product.Mid,
						"netRate":    step.NetRate.Amount,
					}
				}
			}
		}
	}
	log.Fatalf("Nothing is free on %s.", day)
	return nil
}

// 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the list
// says so. It shows the e-mail address, so an address of its own finds the order.
func book(day, scenario string) string {
	email := "ada+" + random() + "@partner.example"
	order := findTeeTime(day)
	order["contactFirstName"], order["contactLastName"] = "Ada", "Lovelace"
	order["contactPhone"], order["contactEmail"] = "+31 20 555 0100", email
	if _, err := call[booking]("POST", "v5/bookings", order, scenario); err != nil {
		fmt.Println("failed:", err)
	}
	for _, booking := range must(call[[]booking]("GET", "v4/bookings", nil, "")) {
		if booking.ContactEmail == email {
			fmt.Printf("in the list: %s, %s\n", booking.BookingID, booking.Status)
			return booking.BookingID
		}
	}
	log.Fatal("The list does not have the booking, so nothing was booked. Please try again later.")
	return ""
}

// 5. Confirm the payment. The operation of v5 is paused, so use v4.
func pay(bookingID string) {
	must(call[any]("POST", "v4/bookings/payment/"+bookingID, nil, ""))
	fmt.Println("payment confirmed")
}

func main() {
	start()
	findFacilities()
	day := time.Now().AddDate(0, 0, 21).Format("02-01-2006")
	pay(book(day, ""))

	// 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
	pay(book(day, "payment-pi-failed; phase=after-commit"))

	// 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
	inbox := baseURL + "/__admin/inbox/partner-" + random()
	var ids []string
	for _, facility := range facilities {
		if len(ids) < 5 {
			ids = append(ids, strconv.Itoa(facility.ID))
		}
	}
	query := url.Values{"facilityIds": {strings.Join(ids, ",")}, "fromDate": {day}, "toDate": {day}}
	query.Set("players", "2")
	query.Set("holes", "18")
	query.Set("callbackUrl", inbox)
	must(call[any]("GET", "v5/teetimes?"+query.Encode(), nil, ""))
	for count := 0; count < 50; count++ {
		var received struct {
			Messages []struct{ Body struct{ Data []any } }
		}
		response := must(client.Get(inbox))
		err := json.NewDecoder(response.Body).Decode(&received)
		response.Body.Close()
		if err == nil && len(received.Messages) > 0 {
			fmt.Printf("callback with %d facilities\n", len(received.Messages[0].Body.Data))
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
}
