package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"regexp"
	"strconv"
	"time"
)

var signature = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})$`)

// Verify takes the request's bytes; now is in seconds since 1970.
func Verify(rawBody []byte, header string, secret string, now int64) bool {
	match := signature.FindStringSubmatch(header)
	if match == nil {
		return false
	}
	timestamp, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil || now-timestamp > 300 || timestamp-now > 300 {
		return false
	}
	given, err := hex.DecodeString(match[2])
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(match[1] + "."))
	mac.Write(rawBody)
	return hmac.Equal(given, mac.Sum(nil))
}

// go run verify.go <header> [now] <body, with the secret in WEBHOOK_SECRET
func main() {
	header, now := "", time.Now().Unix()
	if len(os.Args) > 1 {
		header = os.Args[1]
	}
	if len(os.Args) > 2 {
		given, err := strconv.ParseInt(os.Args[2], 10, 64)
		if err != nil {
			os.Exit(1)
		}
		now = given
	}
	rawBody, err := io.ReadAll(os.Stdin)
	if err != nil || !Verify(rawBody, header, os.Getenv("WEBHOOK_SECRET"), now) {
		os.Exit(1)
	}
}
