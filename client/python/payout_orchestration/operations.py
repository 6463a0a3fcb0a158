# Generated from docs/openapi.json by `npm run generate`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, Mapping, cast

from . import types as t

API_VERSION = "2026-11-01"


class Operations:
    """Every operation of the API. The client adds how a request is sent."""

    def _send(
        self,
        method: str,
        template: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
        files: bool = False,
    ) -> Any:
        raise NotImplementedError

    def invite_beneficiaries(
        self,
        body: t.CollectionInvites,
    ) -> t.CollectionInviteResult:
        """Invite up to 100 beneficiaries by e-mail to a hosted form for their details."""
        return cast("t.CollectionInviteResult", self._send(
            "POST",
            "/v1/beneficiaries/collection-invites",
            body=body,
        ))

    def invite_beneficiaries_in_bulk(
        self,
        body: t.BulkInvites | str,
    ) -> t.CollectionInviteResult:
        """Invite up to 1,000 beneficiaries by their e-mail addresses, as JSON or as a CSV file."""
        return cast("t.CollectionInviteResult", self._send(
            "POST",
            "/v1/beneficiaries/bulk-invites",
            body=body,
        ))

    def cancel_collection_request(
        self,
        id: str,
        request_id: str,
    ) -> None:
        """Cancel a collection request; its link stops working."""
        return cast("None", self._send(
            "DELETE",
            "/v1/beneficiaries/{id}/collection-requests/{requestId}",
            path={"id": id, "requestId": request_id},
        ))

    def list_tax_documents(
        self,
        id: str,
    ) -> t.TaxDocumentList:
        """List the tax documents of a beneficiary, oldest first."""
        return cast("t.TaxDocumentList", self._send(
            "GET",
            "/v1/beneficiaries/{id}/tax-documents",
            path={"id": id},
        ))

    def create_beneficiary(
        self,
        body: t.BeneficiaryCreate,
    ) -> t.BeneficiaryEnvelope:
        """Register a beneficiary."""
        return cast("t.BeneficiaryEnvelope", self._send(
            "POST",
            "/v1/beneficiaries",
            body=body,
            key="idempotency_key",
        ))

    def list_beneficiaries(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        email: str | None = None,
        compliance_status: Literal["compliant", "pending", "suspended"] | None = None,
        beneficiary_type: Literal["business", "person"] | None = None,
        enrollment_status: Literal["closed", "pending", "rejected", "suspended", "verified"] | None = None,
        external_ref: str | None = None,
        updated_since: str | None = None,
        include_archived: bool | None = None,
    ) -> t.BeneficiaryPage:
        """List the beneficiaries that are not archived, newest first."""
        return cast("t.BeneficiaryPage", self._send(
            "GET",
            "/v1/beneficiaries",
            query={"limit": limit, "cursor": cursor, "email": email, "compliance_status": compliance_status, "beneficiary_type": beneficiary_type, "enrollment_status": enrollment_status, "external_ref": external_ref, "updatedSince": updated_since, "include_archived": include_archived},
        ))

    def get_beneficiary(
        self,
        id: str,
    ) -> t.BeneficiaryEnvelope:
        """Read a beneficiary, archived or not."""
        return cast("t.BeneficiaryEnvelope", self._send(
            "GET",
            "/v1/beneficiaries/{id}",
            path={"id": id},
        ))

    def update_beneficiary(
        self,
        id: str,
        body: t.BeneficiaryUpdate,
    ) -> t.BeneficiaryEnvelope:
        """Change fields of a beneficiary; a changed identity must be acknowledged again."""
        return cast("t.BeneficiaryEnvelope", self._send(
            "PUT",
            "/v1/beneficiaries/{id}",
            path={"id": id},
            body=body,
        ))

    def archive_beneficiary(
        self,
        id: str,
    ) -> t.BeneficiaryEnvelope:
        """Archive a beneficiary for good; its payouts under way continue."""
        return cast("t.BeneficiaryEnvelope", self._send(
            "DELETE",
            "/v1/beneficiaries/{id}",
            path={"id": id},
        ))

    def acknowledge_beneficiary(
        self,
        id: str,
        body: t.AcknowledgeBeneficiaryRequest | None = None,
    ) -> t.BeneficiaryEnvelope:
        """Attest that the business verified the beneficiary, which becomes compliant."""
        return cast("t.BeneficiaryEnvelope", self._send(
            "POST",
            "/v1/beneficiaries/{id}/compliance-acknowledgment",
            path={"id": id},
            body=body,
        ))

    def enroll_beneficiary(
        self,
        id: str,
        body: t.EnrollBeneficiaryRequest | None = None,
    ) -> t.EnrollBeneficiaryAnswer:
        """Enroll a bank account with the payout provider; 202 if the provider has not answered yet."""
        return cast("t.EnrollBeneficiaryAnswer", self._send(
            "POST",
            "/v1/beneficiaries/{id}/enroll",
            path={"id": id},
            body=body,
        ))

    def erase_beneficiary(
        self,
        id: str,
        body: t.BeneficiaryErase,
    ) -> t.BeneficiaryErasureEnvelope:
        """Erase a beneficiary's personal data for good."""
        return cast("t.BeneficiaryErasureEnvelope", self._send(
            "POST",
            "/v1/beneficiaries/{id}/erase",
            path={"id": id},
            body=body,
        ))

    def export_personal_data(
        self,
        id: str,
        body: t.ExportPersonalDataRequest | None = None,
    ) -> t.PersonalDataEnvelope:
        """Export everything that is held about one beneficiary, as its right of access demands."""
        return cast("t.PersonalDataEnvelope", self._send(
            "POST",
            "/v1/beneficiaries/{id}/personal-data",
            path={"id": id},
            body=body,
        ))

    def register_bank_account(
        self,
        id: str,
        body: t.BankAccountCreate,
    ) -> t.BankAccountEnvelope:
        """Register a bank account, which is verified at once if its owner is compliant."""
        return cast("t.BankAccountEnvelope", self._send(
            "POST",
            "/v1/beneficiaries/{id}/bank-accounts",
            path={"id": id},
            body=body,
            key="idempotency_key",
        ))

    def list_bank_accounts(
        self,
        id: str,
    ) -> t.BankAccountList:
        """List a beneficiary's bank accounts, oldest first, identifiers masked."""
        return cast("t.BankAccountList", self._send(
            "GET",
            "/v1/beneficiaries/{id}/bank-accounts",
            path={"id": id},
        ))

    def list_all_bank_accounts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_ref: str | None = None,
        updated_since: str | None = None,
    ) -> t.BankAccountPage:
        """List the bank accounts of all beneficiaries, identifiers masked."""
        return cast("t.BankAccountPage", self._send(
            "GET",
            "/v1/bank-accounts",
            query={"limit": limit, "cursor": cursor, "external_ref": external_ref, "updatedSince": updated_since},
        ))

    def update_bank_account(
        self,
        id: str,
        account_id: str,
        body: t.BankAccountWrite,
    ) -> t.BankAccountEnvelope:
        """Replace the details of a bank account."""
        return cast("t.BankAccountEnvelope", self._send(
            "PUT",
            "/v1/beneficiaries/{id}/bank-accounts/{accountId}",
            path={"id": id, "accountId": account_id},
            body=body,
        ))

    def verify_bank_account(
        self,
        id: str,
        account_id: str,
        body: t.VerifyBankAccountRequest | None = None,
    ) -> t.BankAccountEnvelope:
        """Verify a bank account that is pending although its owner is compliant."""
        return cast("t.BankAccountEnvelope", self._send(
            "POST",
            "/v1/beneficiaries/{id}/bank-accounts/{accountId}/verify",
            path={"id": id, "accountId": account_id},
            body=body,
        ))

    def register(
        self,
        body: t.RegistrationCreate,
    ) -> t.Registration:
        """Register a business and get its first sandbox key, which is shown only once."""
        return cast("t.Registration", self._send(
            "POST",
            "/v1/registration",
            body=body,
        ))

    def get_business_profile(
        self,
    ) -> t.BusinessProfileEnvelope:
        """Read the business profile."""
        return cast("t.BusinessProfileEnvelope", self._send(
            "GET",
            "/v1/business/profile",
        ))

    def update_business_profile(
        self,
        body: t.BusinessProfileUpdate,
    ) -> t.BusinessProfileEnvelope:
        """Change the business profile; a complete one is submitted and the sandbox gets its test balance."""
        return cast("t.BusinessProfileEnvelope", self._send(
            "PUT",
            "/v1/business/profile",
            body=body,
        ))

    def get_collection_branding(
        self,
    ) -> t.CollectionBrandingEnvelope:
        """Read how the collection pages and mails look."""
        return cast("t.CollectionBrandingEnvelope", self._send(
            "GET",
            "/v1/business/collection-branding",
        ))

    def update_collection_branding(
        self,
        body: t.CollectionBrandingUpdate,
    ) -> t.CollectionBrandingEnvelope:
        """Change logo, colour, support contact, privacy link and language of the collection pages and mails."""
        return cast("t.CollectionBrandingEnvelope", self._send(
            "PUT",
            "/v1/business/collection-branding",
            body=body,
        ))

    def list_exports(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        kind: Literal["beneficiaries", "ledger_entries", "screenings", "transactions", "watchlist_days"] | None = None,
        recurring: bool | None = None,
    ) -> t.ExportPage:
        """List exports that a job writes or has written, newest first, recurring ones included."""
        return cast("t.ExportPage", self._send(
            "GET",
            "/v1/exports",
            query={"limit": limit, "cursor": cursor, "kind": kind, "recurring": recurring},
        ))

    def get_funding_account(
        self,
    ) -> t.FundingAccountEnvelope:
        """Read the funding account and its reported balance."""
        return cast("t.FundingAccountEnvelope", self._send(
            "GET",
            "/v1/funding/account",
        ))

    def get_books(
        self,
    ) -> t.BooksEnvelope:
        """Read what the books say in each currency."""
        return cast("t.BooksEnvelope", self._send(
            "GET",
            "/v1/funding/books",
        ))

    def list_ledger_entries(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        payout_id: str | None = None,
        kind: list[Literal["disburse", "fail", "fee", "funding", "hold", "release", "return", "settle", "withdrawal"]] | None = None,
        recorded_since: str | None = None,
        recorded_before: str | None = None,
    ) -> t.LedgerEntryPage:
        """List the entries of the books, newest first."""
        return cast("t.LedgerEntryPage", self._send(
            "GET",
            "/v1/funding/entries",
            query={"limit": limit, "cursor": cursor, "payout_id": payout_id, "kind": kind, "recorded_since": recorded_since, "recorded_before": recorded_before},
        ))

    def set_sandbox_balance(
        self,
        body: t.SandboxBalance,
    ) -> t.FundingAccountEnvelope:
        """Set the sandbox wallet's balance."""
        return cast("t.FundingAccountEnvelope", self._send(
            "POST",
            "/v1/business/funding-account/sandbox-balance",
            body=body,
        ))

    def create_payouts_in_bulk(
        self,
        body: t.PayoutBulkCreate,
    ) -> t.PayoutBulkResult:
        """Create up to 1,000 payouts, each under its own idempotency key."""
        return cast("t.PayoutBulkResult", self._send(
            "POST",
            "/v1/payouts/bulk",
            body=body,
        ))

    def create_payout(
        self,
        body: t.PayoutCreate,
    ) -> t.CreatePayoutAnswer | t.PayoutEnvelope:
        """Create a payout, idempotent on idempotency_key for 24 hours."""
        return cast("t.CreatePayoutAnswer | t.PayoutEnvelope", self._send(
            "POST",
            "/v1/payouts",
            body=body,
            key="idempotency_key",
        ))

    def list_payouts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: list[Literal["approved", "canceled", "compliance_hold", "disbursed", "failed", "pending_approval", "rejected", "returned", "settled"]] | None = None,
        beneficiary_id: str | None = None,
        external_ref: str | None = None,
        idempotency_key: str | None = None,
        updated_since: str | None = None,
    ) -> t.PayoutPage:
        """List payouts, newest first."""
        return cast("t.PayoutPage", self._send(
            "GET",
            "/v1/payouts",
            query={"limit": limit, "cursor": cursor, "state": state, "beneficiary_id": beneficiary_id, "external_ref": external_ref, "idempotency_key": idempotency_key, "updatedSince": updated_since},
        ))

    def get_payout(
        self,
        payout_id: str,
    ) -> t.PayoutWithApproval:
        """Read a payout."""
        return cast("t.PayoutWithApproval", self._send(
            "GET",
            "/v1/payouts/{payoutId}",
            path={"payoutId": payout_id},
        ))

    def approve_payout(
        self,
        payout_id: str,
        body: t.ApprovePayoutRequest | None = None,
    ) -> t.ApprovePayoutAnswer:
        """Approve a payout; its disbursement starts."""
        return cast("t.ApprovePayoutAnswer", self._send(
            "POST",
            "/v1/payouts/{payoutId}/approve",
            path={"payoutId": payout_id},
            body=body,
            key="decision_id",
        ))

    def reject_payout(
        self,
        payout_id: str,
        body: t.RejectPayoutRequest | None = None,
    ) -> t.RejectPayoutAnswer:
        """Reject a payout, with at least one reason."""
        return cast("t.RejectPayoutAnswer", self._send(
            "POST",
            "/v1/payouts/{payoutId}/reject",
            path={"payoutId": payout_id},
            body=body,
            key="decision_id",
        ))

    def cancel_payout(
        self,
        payout_id: str,
        body: t.CancelPayoutRequest | None = None,
    ) -> t.PayoutEnvelope:
        """Cancel a payout that is not yet handed over to the provider."""
        return cast("t.PayoutEnvelope", self._send(
            "POST",
            "/v1/payouts/{payoutId}/cancel",
            path={"payoutId": payout_id},
            body=body,
        ))

    def create_decision(
        self,
        payout_id: str,
        body: t.DecisionCreate,
    ) -> t.DecisionEnvelope:
        """Record a decision, idempotent on decision_id within the payout."""
        return cast("t.DecisionEnvelope", self._send(
            "POST",
            "/v1/payouts/{payoutId}/decisions",
            path={"payoutId": payout_id},
            body=body,
            key="decision_id",
        ))

    def list_decisions(
        self,
        payout_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.DecisionPage:
        """List a payout's decisions, oldest first."""
        return cast("t.DecisionPage", self._send(
            "GET",
            "/v1/payouts/{payoutId}/decisions",
            path={"payoutId": payout_id},
            query={"limit": limit, "cursor": cursor},
        ))

    def create_payout_batch(
        self,
        body: t.PayoutBatchCreate,
    ) -> t.PayoutBatchEnvelope:
        """Make the draft of a batch of payouts, with up to 1,000 of its rows."""
        return cast("t.PayoutBatchEnvelope", self._send(
            "POST",
            "/v1/payout-batches",
            body=body,
            key="idempotency_key",
        ))

    def list_payout_batches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.PayoutBatchPage:
        """List batches of payouts, newest first."""
        return cast("t.PayoutBatchPage", self._send(
            "GET",
            "/v1/payout-batches",
            query={"limit": limit, "cursor": cursor},
        ))

    def get_payout_batch(
        self,
        payout_batch_id: str,
    ) -> t.GetPayoutBatchAnswer:
        """Read a batch, how far it is, and what it comes to."""
        return cast("t.GetPayoutBatchAnswer", self._send(
            "GET",
            "/v1/payout-batches/{payoutBatchId}",
            path={"payoutBatchId": payout_batch_id},
        ))

    def list_payout_batch_rows(
        self,
        payout_batch_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal["failed", "left_out", "made", "ready", "unchecked", "wrong"]] | None = None,
    ) -> t.PayoutBatchRowPage:
        """List the rows of a batch in their order, with what became of each."""
        return cast("t.PayoutBatchRowPage", self._send(
            "GET",
            "/v1/payout-batches/{payoutBatchId}/rows",
            path={"payoutBatchId": payout_batch_id},
            query={"limit": limit, "cursor": cursor, "status": status},
        ))

    def add_payout_batch_rows(
        self,
        payout_batch_id: str,
        body: t.PayoutBatchAdd,
    ) -> t.PayoutBatchEnvelope:
        """Add up to 1,000 rows to a draft, up to 10,000 in all."""
        return cast("t.PayoutBatchEnvelope", self._send(
            "POST",
            "/v1/payout-batches/{payoutBatchId}/rows",
            path={"payoutBatchId": payout_batch_id},
            body=body,
        ))

    def leave_out_payout_batch_rows(
        self,
        payout_batch_id: str,
        body: t.PayoutBatchLeaveOut,
    ) -> t.PayoutBatchEnvelope:
        """Leave rows of a draft out of what is paid, by their numbers, or take them in again."""
        return cast("t.PayoutBatchEnvelope", self._send(
            "POST",
            "/v1/payout-batches/{payoutBatchId}/rows/leave-out",
            path={"payoutBatchId": payout_batch_id},
            body=body,
        ))

    def check_payout_batch(
        self,
        payout_batch_id: str,
        body: t.CheckPayoutBatchRequest | None = None,
    ) -> t.CheckPayoutBatchAnswer:
        """Check every row of a draft by what refuses any payout."""
        return cast("t.CheckPayoutBatchAnswer", self._send(
            "POST",
            "/v1/payout-batches/{payoutBatchId}/check",
            path={"payoutBatchId": payout_batch_id},
            body=body,
        ))

    def submit_payout_batch(
        self,
        payout_batch_id: str,
        body: t.PayoutBatchSubmit | None = None,
    ) -> t.SubmitPayoutBatchAnswer:
        """Check a draft once more and submit it: its payouts are made."""
        return cast("t.SubmitPayoutBatchAnswer", self._send(
            "POST",
            "/v1/payout-batches/{payoutBatchId}/submit",
            path={"payoutBatchId": payout_batch_id},
            body=body,
        ))

    def cancel_payout_batch(
        self,
        payout_batch_id: str,
        body: t.CancelPayoutBatchRequest | None = None,
    ) -> t.CancelPayoutBatchAnswer:
        """Cancel a draft or a submitted batch, with its payouts that have not left."""
        return cast("t.CancelPayoutBatchAnswer", self._send(
            "POST",
            "/v1/payout-batches/{payoutBatchId}/cancel",
            path={"payoutBatchId": payout_batch_id},
            body=body,
        ))

    def get_corridor(
        self,
        country: str,
    ) -> t.CorridorEnvelope:
        """Read what a bank account in a country needs."""
        return cast("t.CorridorEnvelope", self._send(
            "GET",
            "/v1/reference/corridors/{country}",
            path={"country": country},
        ))

    def list_purposes(
        self,
    ) -> t.ListPurposesAnswer:
        """List the values of purpose_of_payment."""
        return cast("t.ListPurposesAnswer", self._send(
            "GET",
            "/v1/reference/purposes",
        ))

    def list_providers(
        self,
    ) -> t.PayoutProviderList:
        """List who can pay, and what."""
        return cast("t.PayoutProviderList", self._send(
            "GET",
            "/v1/reference/providers",
        ))

    def simulate_payout(
        self,
        payout_id: str,
        body: t.PayoutSimulate,
    ) -> t.PayoutEnvelope:
        """Simulate what a provider reports about a sandbox payout."""
        return cast("t.PayoutEnvelope", self._send(
            "POST",
            "/v1/sandbox/payouts/{payoutId}/simulate",
            path={"payoutId": payout_id},
            body=body,
        ))

    def get_screening(
        self,
    ) -> t.ScreeningFiguresEnvelope:
        """Read how the screening stands: settings, lists, figures."""
        return cast("t.ScreeningFiguresEnvelope", self._send(
            "GET",
            "/v1/screening",
        ))

    def list_screening_hits(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["cleared", "confirmed", "gone", "open"] | None = None,
        beneficiary_id: str | None = None,
        list: Literal["eu", "ofac_consolidated", "ofac_sdn", "own", "uk", "un"] | None = None,
    ) -> t.ScreeningHitPage:
        """List the hits of the screening, newest first."""
        return cast("t.ScreeningHitPage", self._send(
            "GET",
            "/v1/screening/hits",
            query={"limit": limit, "cursor": cursor, "status": status, "beneficiary_id": beneficiary_id, "list": list},
        ))

    def get_screening_hit(
        self,
        hit_id: str,
    ) -> t.ScreeningHitEnvelope:
        """Read a hit, with what was decided on it."""
        return cast("t.ScreeningHitEnvelope", self._send(
            "GET",
            "/v1/screening/hits/{hitId}",
            path={"hitId": hit_id},
        ))

    def decide_screening_hit(
        self,
        hit_id: str,
        body: t.ScreeningHitDecision,
    ) -> t.ScreeningHitEnvelope:
        """Clear or confirm a hit, with a reason."""
        return cast("t.ScreeningHitEnvelope", self._send(
            "POST",
            "/v1/screening/hits/{hitId}/decide",
            path={"hitId": hit_id},
            body=body,
        ))

    def get_beneficiary_screening(
        self,
        id: str,
    ) -> t.BeneficiaryScreeningEnvelope:
        """Read what lists of sanctions say of a beneficiary."""
        return cast("t.BeneficiaryScreeningEnvelope", self._send(
            "GET",
            "/v1/beneficiaries/{id}/screening",
            path={"id": id},
        ))

    def list_screening_results(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.ScreeningResultPage:
        """List each look at a beneficiary, newest first."""
        return cast("t.ScreeningResultPage", self._send(
            "GET",
            "/v1/beneficiaries/{id}/screening/results",
            path={"id": id},
            query={"limit": limit, "cursor": cursor},
        ))

    def register_webhook_subscription(
        self,
        body: t.WebhookSubscriptionCreate,
    ) -> t.RegisterWebhookSubscriptionAnswer:
        """Register the webhook endpoint, or replace it and rotate its secret."""
        return cast("t.RegisterWebhookSubscriptionAnswer", self._send(
            "POST",
            "/v1/webhook-subscriptions",
            body=body,
        ))

    def get_webhook_subscription(
        self,
    ) -> t.WebhookSubscriptionEnvelope:
        """Read the webhook endpoint."""
        return cast("t.WebhookSubscriptionEnvelope", self._send(
            "GET",
            "/v1/webhook-subscriptions",
        ))

    def update_webhook_subscription(
        self,
        body: t.WebhookSubscriptionUpdate,
    ) -> t.WebhookSubscriptionEnvelope:
        """Change the webhook endpoint without rotating its secret."""
        return cast("t.WebhookSubscriptionEnvelope", self._send(
            "PATCH",
            "/v1/webhook-subscriptions",
            body=body,
        ))

    def delete_webhook_subscription(
        self,
    ) -> None:
        """Delete the webhook endpoint and cancel its pending deliveries."""
        return cast("None", self._send(
            "DELETE",
            "/v1/webhook-subscriptions",
        ))

    def test_webhook_subscription(
        self,
        body: t.TestWebhookSubscriptionRequest | None = None,
    ) -> t.WebhookDeliveryEnvelope:
        """Send an event of the type webhook.test to the endpoint."""
        return cast("t.WebhookDeliveryEnvelope", self._send(
            "POST",
            "/v1/webhook-subscriptions/test",
            body=body,
        ))

    def list_webhook_deliveries(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        event_type: Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired", "webhook.test"] | None = None,
        status: Literal["canceled", "dead", "delivered", "pending"] | None = None,
        payout_id: str | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
    ) -> t.WebhookDeliveryPage:
        """List webhook deliveries, newest first."""
        return cast("t.WebhookDeliveryPage", self._send(
            "GET",
            "/v1/webhook-subscriptions/deliveries",
            query={"limit": limit, "cursor": cursor, "event_type": event_type, "status": status, "payout_id": payout_id, "created_since": created_since, "created_before": created_before},
        ))

    def get_webhook_delivery(
        self,
        delivery_id: str,
    ) -> t.WebhookDeliveryWithAttemptsEnvelope:
        """Read a webhook delivery with its attempts."""
        return cast("t.WebhookDeliveryWithAttemptsEnvelope", self._send(
            "GET",
            "/v1/webhook-subscriptions/deliveries/{deliveryId}",
            path={"deliveryId": delivery_id},
        ))

    def redeliver_webhooks(
        self,
        body: t.WebhookRedeliveryRequest,
    ) -> t.WebhookRedeliveryEnvelope:
        """Send the deliveries of a window of time again, spread over time."""
        return cast("t.WebhookRedeliveryEnvelope", self._send(
            "POST",
            "/v1/webhook-subscriptions/deliveries/redeliver",
            body=body,
        ))

    def redeliver_webhook(
        self,
        delivery_id: str,
        body: t.RedeliverWebhookRequest | None = None,
    ) -> t.WebhookDeliveryEnvelope:
        """Send a delivery again, with the same event id and a new set of attempts."""
        return cast("t.WebhookDeliveryEnvelope", self._send(
            "POST",
            "/v1/webhook-subscriptions/deliveries/{deliveryId}/redeliver",
            path={"deliveryId": delivery_id},
            body=body,
        ))

    def list_events(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        type: list[Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired", "webhook.test"]] | None = None,
        since: str | None = None,
    ) -> t.EventPage:
        """List events, with what was sent and what was not."""
        return cast("t.EventPage", self._send(
            "GET",
            "/v1/events",
            query={"limit": limit, "cursor": cursor, "type": type, "since": since},
        ))

    def get_event(
        self,
        id: str,
    ) -> t.EventEnvelope:
        """Read an event, with what was sent and what was not."""
        return cast("t.EventEnvelope", self._send(
            "GET",
            "/v1/events/{id}",
            path={"id": id},
        ))

    def export_transactions(
        self,
        *,
        beneficiary_id: str | None = None,
        payout_batch_id: str | None = None,
        state: list[Literal["approved", "canceled", "compliance_hold", "disbursed", "failed", "pending_approval", "rejected", "returned", "settled"]] | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
    ) -> bytes:
        """Download all payouts that match as CSV, oldest first."""
        return cast("bytes", self._send(
            "GET",
            "/v1/reporting/transactions/export",
            query={"beneficiary_id": beneficiary_id, "payout_batch_id": payout_batch_id, "state": state, "created_since": created_since, "created_before": created_before},
            files=True,
        ))

    def export_beneficiaries(
        self,
    ) -> bytes:
        """Download the beneficiaries as CSV, without archived ones."""
        return cast("bytes", self._send(
            "GET",
            "/v1/beneficiaries/export",
            files=True,
        ))

    def export_ledger_entries(
        self,
        *,
        payout_id: str | None = None,
        kind: list[Literal["disburse", "fail", "fee", "funding", "hold", "release", "return", "settle", "withdrawal"]] | None = None,
        recorded_since: str | None = None,
        recorded_before: str | None = None,
    ) -> bytes:
        """Download all entries of the books that match as CSV, oldest first."""
        return cast("bytes", self._send(
            "GET",
            "/v1/funding/entries/export",
            query={"payout_id": payout_id, "kind": kind, "recorded_since": recorded_since, "recorded_before": recorded_before},
            files=True,
        ))

    def download_export(
        self,
        export_id: str,
    ) -> bytes:
        """Download the file of an export; 202 with its progress while it is being written."""
        return cast("bytes", self._send(
            "GET",
            "/v1/exports/{exportId}",
            path={"exportId": export_id},
            files=True,
        ))

    def download_tax_document(
        self,
        id: str,
        document_id: str,
    ) -> bytes:
        """Download the file of a tax document."""
        return cast("bytes", self._send(
            "GET",
            "/v1/beneficiaries/{id}/tax-documents/{documentId}/content",
            path={"id": id, "documentId": document_id},
            files=True,
        ))
