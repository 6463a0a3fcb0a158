// Pays a payee with the client that ogen makes of docs/openapi.json.
package main

import (
	"context"
	"fmt"
	"os"

	"settle/api"
)

type key string

func (k key) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{Token: string(k)}, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := must(api.NewClient(os.Getenv("BASE_URL"), key(os.Getenv("API_KEY"))))

	created := must(client.CreateBeneficiary(ctx, &api.BeneficiaryCreate{
		BeneficiaryType:        api.BeneficiaryCreateBeneficiaryTypeBusiness,
		Email:                  "go@example.com",
		BusinessName:           api.NewOptNilString("Analytical Engines Ltd"),
		CountryOfIncorporation: api.NewOptNilString("US"),
		RegistrationNumber:     api.NewOptNilString("C-1842"),
		Acknowledged:           api.NewOptNilBool(true),
	}, api.CreateBeneficiaryParams{})).(*api.CreateBeneficiaryCreatedHeaders)
	payee := created.Response.Beneficiary

	registered := must(client.RegisterBankAccount(ctx, &api.BankAccountCreate{
		AccountHolderName: "Analytical Engines Ltd",
		Country:           "US",
		Currency:          "USD",
		RoutingCode:       api.NewOptNilString("021000021"),
		AccountNumber:     api.NewOptNilString("000987654321"),
	}, api.RegisterBankAccountParams{ID: payee.ID})).(*api.RegisterBankAccountCreatedHeaders)

	answer := must(client.CreatePayout(ctx, &api.PayoutCreate{
		BeneficiaryID:    payee.ID,
		BankAccountID:    registered.Response.BankAccount.ID,
		AmountMinor:      48000,
		Currency:         "USD",
		PurposeOfPayment: api.PayoutCreatePurposeOfPaymentContractorPayment,
		IdempotencyKey:   api.NewOptString("bill-1"),
	}, api.CreatePayoutParams{})).(*api.PayoutEnvelopeHeaders)
	payout := answer.Response.Payout

	must(client.ApprovePayout(ctx, api.OptApprovePayoutRequest{}, api.ApprovePayoutParams{PayoutId: payout.ID}))
	fmt.Println(payout.ID, payout.AmountMinor, payout.Currency)
}
