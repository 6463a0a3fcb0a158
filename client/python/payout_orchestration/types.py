# Generated from docs/openapi.json by `npm run generate`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

class CollectionInvites(TypedDict):
    invites: list[CollectionInvite]
    """1 to 100 invites, each with beneficiary_id or with email and beneficiary_type. A newcomer needs its legal name."""

class BulkInvites(TypedDict):
    rows: list[BulkInviteRow]
    """1 to 1,000 rows with email and beneficiary_type."""

class BeneficiaryCreatePostalAddress(TypedDict):
    line1: str
    line2: NotRequired[str | None]
    city: str
    state: NotRequired[str | None]
    postal_code: NotRequired[str | None]
    country: str

class BeneficiaryCreateBankDetails(TypedDict):
    account_holder_name: str
    """Legal name on the account."""
    country: str
    currency: str
    account_number: NotRequired[str | None]
    """Domestic account number."""
    routing_code: NotRequired[str | None]
    """US ABA, UK sort code, BR branch code, …"""
    iban: NotRequired[str | None]
    """Required for European corridors."""
    swift_bic: NotRequired[str | None]
    """Required for cross-border SWIFT routing."""
    bank_name: NotRequired[str | None]

class BeneficiaryCreate(TypedDict):
    beneficiary_type: Literal["business", "person"]
    """person or business."""
    email: str
    """Unique among active beneficiaries."""
    phone: NotRequired[str | None]
    """Contact phone: at least five digits, up to 32 characters."""
    nickname: NotRequired[str | None]
    """Label for your own use; it is never sent to a provider."""
    first_name: NotRequired[str | None]
    """Person: given name."""
    last_name: NotRequired[str | None]
    """Person: family name."""
    country_of_residence: NotRequired[str | None]
    """Person: alpha-2."""
    date_of_birth: NotRequired[str | None]
    """Person: YYYY-MM-DD."""
    business_name: NotRequired[str | None]
    """Business: legal name."""
    country_of_incorporation: NotRequired[str | None]
    """Business: alpha-2."""
    registration_number: NotRequired[str | None]
    """Business: registration number."""
    tax_id: NotRequired[str | None]
    """Tax identifier."""
    postal_address: NotRequired[BeneficiaryCreatePostalAddress | None]
    """Mailing or legal address."""
    external_ref: NotRequired[str | None]
    """Your own reference, up to 128 characters. One that is taken is refused."""
    metadata: NotRequired[dict[str, str] | None]
    """Up to 20 pairs of texts of your own; values have up to 500 characters. Replaced as a whole."""
    bank_details: NotRequired[BeneficiaryCreateBankDetails | None]
    """Register bank accounts instead. One of iban and account_number is required."""
    acknowledged: NotRequired[bool | None]
    """Whether the business attests that it verified the beneficiary, which is then compliant. Not together with identity_pending."""
    identity_pending: NotRequired[bool | None]
    """Whether missing identity fields are to be completed later. Not together with acknowledged."""
    idempotency_key: NotRequired[str | None]
    """Here or as the header Idempotency-Key. The same request under the same key within 24 hours creates nothing more."""

class BeneficiaryUpdatePostalAddress(TypedDict):
    line1: str
    line2: NotRequired[str | None]
    city: str
    state: NotRequired[str | None]
    postal_code: NotRequired[str | None]
    country: str

class BeneficiaryUpdate(TypedDict):
    """Fields to be changed. An absent field stays as it is; null clears it. The type cannot change."""

    beneficiary_type: NotRequired[Literal["business", "person"] | None]
    """Cannot be changed."""
    email: NotRequired[str]
    """Cannot be cleared."""
    phone: NotRequired[str | None]
    """Contact phone: at least five digits, up to 32 characters."""
    nickname: NotRequired[str | None]
    """Label for your own use; it is never sent to a provider."""
    first_name: NotRequired[str | None]
    """Person: given name."""
    last_name: NotRequired[str | None]
    """Person: family name."""
    country_of_residence: NotRequired[str | None]
    """Person: alpha-2."""
    date_of_birth: NotRequired[str | None]
    """Person: YYYY-MM-DD."""
    business_name: NotRequired[str | None]
    """Business: legal name."""
    country_of_incorporation: NotRequired[str | None]
    """Business: alpha-2."""
    registration_number: NotRequired[str | None]
    """Business: registration number."""
    tax_id: NotRequired[str | None]
    """Tax identifier."""
    postal_address: NotRequired[BeneficiaryUpdatePostalAddress | None]
    """Replaced as a whole."""
    external_ref: NotRequired[str | None]
    """Your own reference, up to 128 characters. One that is taken is refused."""
    metadata: NotRequired[dict[str, str] | None]
    """Up to 20 pairs of texts of your own; values have up to 500 characters. Replaced as a whole."""

class BeneficiaryErase(TypedDict):
    ground: Literal["entered_in_error", "legal_obligation", "no_longer_needed", "payee_request"]
    """Why. The record keeps it, and no words, since a reason could name the payee."""

class BankAccountCreate(TypedDict):
    account_holder_name: str
    """Legal name on the account."""
    country: str
    currency: str
    account_number: NotRequired[str | None]
    """Domestic account number."""
    routing_code: NotRequired[str | None]
    """US ABA, UK sort code, BR branch code, …"""
    iban: NotRequired[str | None]
    """Required for European corridors."""
    swift_bic: NotRequired[str | None]
    """Required for cross-border SWIFT routing."""
    bank_name: NotRequired[str | None]
    clabe: NotRequired[str | None]
    """Mexican routing identifier, 18 digits."""
    pix_key: NotRequired[str | None]
    """Brazilian instant-payment identifier."""
    account_type: NotRequired[Literal["checking", "savings"] | None]
    """Kind of a US account; checking when absent."""
    external_ref: NotRequired[str | None]
    """Your own reference, up to 128 characters. One that is taken is refused."""
    metadata: NotRequired[dict[str, str] | None]
    """Up to 20 pairs of texts of your own; values have up to 500 characters. Replaced as a whole."""
    idempotency_key: NotRequired[str | None]
    """Here or as the header Idempotency-Key. The same request under the same key within 24 hours creates nothing more."""

class BankAccountWrite(TypedDict):
    account_holder_name: str
    """Legal name on the account."""
    country: str
    """Country of the bank, alpha-2."""
    currency: str
    """ISO 4217."""
    account_number: NotRequired[str | None]
    """Domestic account number."""
    routing_code: NotRequired[str | None]
    """US ABA, UK sort code, BR branch code, …"""
    iban: NotRequired[str | None]
    """Required for European corridors."""
    swift_bic: NotRequired[str | None]
    """Required for cross-border SWIFT routing."""
    bank_name: NotRequired[str | None]
    """Name of the bank."""
    clabe: NotRequired[str | None]
    """Mexican routing identifier, 18 digits."""
    pix_key: NotRequired[str | None]
    """Brazilian instant-payment identifier."""
    account_type: NotRequired[Literal["checking", "savings"] | None]
    """Kind of a US account; checking when absent."""
    external_ref: NotRequired[str | None]
    """Your own reference, up to 128 characters. One that is taken is refused."""
    metadata: NotRequired[dict[str, str] | None]
    """Up to 20 pairs of texts of your own; values have up to 500 characters. Replaced as a whole."""

class RegistrationCreate(TypedDict):
    email: str
    """Address of the first user."""
    company_name: str
    """Name of the company."""
    first_name: NotRequired[str | None]
    """Given name of the first user."""
    last_name: NotRequired[str | None]
    """Family name of the first user."""
    country: NotRequired[str | None]
    """ISO 3166-1 alpha-2 country of the company."""

class BusinessProfileUpdateAddress(TypedDict):
    line1: str
    line2: NotRequired[str | None]
    city: str
    state: NotRequired[str | None]
    postal_code: NotRequired[str | None]
    country: str

class BusinessProfileUpdate(TypedDict):
    legal_name: NotRequired[str | None]
    """Legal name."""
    registration_number: NotRequired[str | None]
    """Company registration number."""
    country: NotRequired[str | None]
    """ISO 3166-1 alpha-2 country of registration."""
    address: NotRequired[BusinessProfileUpdateAddress | None]
    """Registered address."""
    website: NotRequired[str | None]
    """http or https URL."""
    industry: NotRequired[str | None]
    """Line of business."""
    contact_phone: NotRequired[str | None]
    """Telephone number: at least five digits, up to 32 characters."""

class CollectionBrandingUpdate(TypedDict):
    color: NotRequired[str | None]
    """Colour `#rrggbb`. Any can be chosen: where it is too pale or too dark to be read, a shade of it is shown."""
    support_contact: NotRequired[str | None]
    """E-mail address or https URL where payees can ask, up to 255 characters."""
    privacy_url: NotRequired[str | None]
    """https URL of the privacy notice, up to 255 characters."""
    language: NotRequired[Literal["en", "de", "fr", "es", "pt"] | None]
    """Language of mails to payees whose invite names none and whose country does not tell it."""
    logo: NotRequired[str | None]
    """PNG or JPEG in base64 (RFC 4648, section 4), up to 128 KiB and 2,048 pixels on each side."""

class SandboxBalance(TypedDict):
    available_balance_minor: int
    """Minor units of currency."""
    currency: str
    """ISO 4217; the account's currency."""

class PayoutBulkCreate(TypedDict):
    payouts: list[PayoutBulkRow]
    """1 to 1,000 rows, each as the body of a single create without dry_run, with its own key."""
    mode: NotRequired[Literal["atomic", "partial"]]
    dry_run: NotRequired[bool]

class PayoutCreateBeneficiary(TypedDict):
    """Identity fields to be compared."""

    beneficiary_type: NotRequired[Literal["business", "person"]]
    email: NotRequired[str]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    business_name: NotRequired[str]
    country_of_residence: NotRequired[str]
    country_of_incorporation: NotRequired[str]
    registration_number: NotRequired[str]
    date_of_birth: NotRequired[str]
    tax_id: NotRequired[str]

class PayoutCreate(TypedDict):
    beneficiary_id: str
    """The payee."""
    bank_account_id: str
    """The destination, of that payee."""
    amount_minor: int
    """Minor units of currency: 1250 is USD 12.50 and JPY 1250."""
    currency: str
    """ISO 4217; the bank account's currency."""
    purpose_of_payment: Literal["advertising", "affiliate_commission", "bonus", "contractor_payment", "donation", "education", "freight_logistics", "goods_purchase", "insurance", "intercompany_transfer", "invoice_payment", "loan_repayment", "marketplace_payout", "medical", "payroll", "professional_services", "refund", "reimbursement", "rent", "royalties", "software_services", "taxes", "travel", "utilities", "other"]
    """What the money is for; banks and rails ask for it."""
    idempotency_key: NotRequired[str]
    """Required here or as the header Idempotency-Key."""
    external_ref: NotRequired[str | None]
    """The business's own reference."""
    validator_strategy: NotRequired[Literal["agent", "auto", "manual"]]
    """Who decides; manual by default."""
    replaces_payout_id: NotRequired[str | None]
    """A failed or returned payout to be replaced, once."""
    beneficiary: NotRequired[PayoutCreateBeneficiary]
    """Identity fields to be compared."""
    metadata: NotRequired[dict[str, str] | None]
    """Up to 20 pairs of texts; values have up to 500 characters. Returned unchanged."""
    dry_run: NotRequired[bool]
    """Whether to run every check and write nothing. The answer is then 200 without a payout, or the very error."""

class DecisionCreateReasons(TypedDict):
    code: NotRequired[str]
    message: str
    details: NotRequired[dict[str, Any]]

class DecisionCreate(TypedDict):
    decision_id: str
    """The caller's ULID; the idempotency key within the payout."""
    status: Literal["approved", "pending_review", "rejected"]
    """The outcome."""
    evaluated_at: NotRequired[str]
    """ISO 8601; now by default."""
    reasons: NotRequired[list[DecisionCreateReasons]]
    """Needed for a rejection."""
    evaluated_by: NotRequired[dict[str, Any]]
    """The acting party; the caller by default."""
    policy_version: NotRequired[str]
    """Version of the policy applied."""
    agent_version: NotRequired[str]
    """Version of the agent."""
    confidence: NotRequired[float]
    """From 0 to 1."""

class PayoutBatchCreate(TypedDict):
    name: str
    """Its name, for people."""
    idempotency_key: NotRequired[str]
    """Required here or as the header Idempotency-Key. It is remembered for good."""
    rows: NotRequired[list[PayoutBatchRowGiven]]
    """Up to 1,000 rows; further ones are added."""

class PayoutBatchRowGiven(TypedDict):
    beneficiary_id: str
    bank_account_id: str
    amount_minor: int
    """Minor units of currency: 1250 is USD 12.50 and JPY 1250."""
    currency: str
    """ISO 4217; the bank account's currency."""
    purpose_of_payment: NotRequired[Literal["advertising", "affiliate_commission", "bonus", "contractor_payment", "donation", "education", "freight_logistics", "goods_purchase", "insurance", "intercompany_transfer", "invoice_payment", "loan_repayment", "marketplace_payout", "medical", "payroll", "professional_services", "refund", "reimbursement", "rent", "royalties", "software_services", "taxes", "travel", "utilities", "other"]]
    external_ref: NotRequired[str | None]
    metadata: NotRequired[dict[str, str] | None]

class PayoutBatchAdd(TypedDict):
    first_row: int
    """The number of the first of these rows: 1 more than the batch has."""
    rows: list[PayoutBatchRowGiven]
    """Up to 1,000 rows."""

class PayoutBatchLeaveOut(TypedDict):
    rows: list[int]
    """The numbers of up to 1,000 rows."""
    left_out: NotRequired[bool]
    """false takes them in again; true where it is absent."""

class PayoutBatchSubmit(TypedDict):
    revision: NotRequired[int]
    """The revision that you have seen; 409 where there is a later one."""

class PayoutSimulate(TypedDict):
    event: Literal["acknowledge", "estimate", "disburse", "settle", "fail", "return", "hold", "release"]
    """What is simulated. hold and release apply before the payout is handed over to the provider, the others after it."""

class ScreeningHitDecision(TypedDict):
    verdict: Literal["cleared", "confirmed"]
    """cleared: it is somebody else; confirmed: it is the one on the list."""
    reason: str
    """Why, up to 1,000 characters."""
    evidence: NotRequired[str | None]
    """What shows it: a document, a place where it lies."""

class WebhookSubscriptionCreate(TypedDict):
    url: str
    """An https URL on the public internet."""
    enabled_events: list[Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired"]]
    """Event types to be delivered; not empty. Known: payout.disbursement_submitted, payout.acknowledged, payout.estimated_arrival_at, payout.disbursed, payout.settled, payout.failed, payout.returned, payout.created, payout.approved, payout.approval_expired, payout.rejected, payout.canceled, payout.held, payout.released, payout.replaced, payout_batch.submitted, payout_batch.approved, payout_batch.completed, beneficiary.created, beneficiary.changed, beneficiary.ready, beneficiary.action_required, beneficiary.suspended, beneficiary.archived, beneficiary.screening_hit, beneficiary.screening_cleared, bank_account.verified, bank_account.refused, bank_account.changed, collection_request.submitted, collection_request.expired. More may be added."""

class WebhookSubscriptionUpdate(TypedDict):
    url: NotRequired[str]
    """An https URL on the public internet."""
    enabled_events: NotRequired[list[Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired"]]]
    """Event types to be delivered; not empty. Known: payout.disbursement_submitted, payout.acknowledged, payout.estimated_arrival_at, payout.disbursed, payout.settled, payout.failed, payout.returned, payout.created, payout.approved, payout.approval_expired, payout.rejected, payout.canceled, payout.held, payout.released, payout.replaced, payout_batch.submitted, payout_batch.approved, payout_batch.completed, beneficiary.created, beneficiary.changed, beneficiary.ready, beneficiary.action_required, beneficiary.suspended, beneficiary.archived, beneficiary.screening_hit, beneficiary.screening_cleared, bank_account.verified, bank_account.refused, bank_account.changed, collection_request.submitted, collection_request.expired. More may be added."""
    enabled: NotRequired[bool]
    """Whether events are delivered."""

class WebhookRedeliveryRequest(TypedDict):
    created_since: str
    """Created at this time or later."""
    created_before: str
    """Created before this time, which must be later than created_since."""
    status: NotRequired[Literal["canceled", "dead", "delivered"]]
    """With this status; dead by default. A delivery that was sent again less than an hour ago is left out."""
    event_type: NotRequired[Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired", "webhook.test"]]
    """Of events of this type."""
    payout_id: NotRequired[str]
    """Of events of this payout."""
    limit: NotRequired[int]
    """Most deliveries to send, oldest first; 10,000 by default."""
    dry_run: NotRequired[bool]
    """Whether to count the deliveries and send none; false by default."""

class PayoutDisbursementSubmittedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["disbursement_submitted"]

class PayoutDisbursementSubmittedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.disbursement_submitted"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutDisbursementSubmittedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutAcknowledgedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    acknowledged_at: str
    """When the provider reported."""

class PayoutAcknowledgedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.acknowledged"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutAcknowledgedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutEstimatedArrivalAtEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    expected_delivery_date: str
    """When the money should arrive."""

class PayoutEstimatedArrivalAtEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.estimated_arrival_at"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutEstimatedArrivalAtEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutDisbursedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["disbursed"]

class PayoutDisbursedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.disbursed"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutDisbursedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutSettledEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["settled"]

class PayoutSettledEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.settled"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutSettledEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutFailedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["failed"]
    failure_code: NotRequired[str]
    """Why: invalid_account, account_closed, name_mismatch, insufficient_provider_funds, compliance_rejected, provider_rejected, other. More may be added."""

class PayoutFailedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.failed"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutFailedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutReturnedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["returned"]
    failure_code: NotRequired[str]
    """Why: invalid_account, account_closed, name_mismatch, insufficient_provider_funds, compliance_rejected, provider_rejected, other. More may be added."""

class PayoutReturnedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.returned"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutReturnedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutCreatedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["pending_approval", "approved", "compliance_hold"]

class PayoutCreatedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.created"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutCreatedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutApprovedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["approved"]

class PayoutApprovedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.approved"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutApprovedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutApprovalExpiredEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["pending_approval"]

class PayoutApprovalExpiredEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.approval_expired"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutApprovalExpiredEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutRejectedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["rejected"]

class PayoutRejectedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.rejected"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutRejectedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutCanceledEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["canceled"]

class PayoutCanceledEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.canceled"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutCanceledEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutHeldEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["compliance_hold"]

class PayoutHeldEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.held"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutHeldEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutReleasedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["pending_approval"]

class PayoutReleasedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.released"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutReleasedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutReplacedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    replaced_by_payout_id: str
    """Id of the payout that replaces it."""

class PayoutReplacedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout.replaced"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutReplacedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutBatchSubmittedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_batch_id: str
    """Id of the batch."""
    row_count: int
    """How many rows it has, those that were left out too."""
    status: Literal["submitted"]

class PayoutBatchSubmittedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout_batch.submitted"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutBatchSubmittedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutBatchApprovedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_batch_id: str
    """Id of the batch."""
    row_count: int
    """How many rows it has, those that were left out too."""
    status: Literal["approved"]

class PayoutBatchApprovedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout_batch.approved"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutBatchApprovedEventData
    """What it is about, as it was at the event, and fields of the type."""

class PayoutBatchCompletedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_batch_id: str
    """Id of the batch."""
    row_count: int
    """How many rows it has, those that were left out too."""
    status: Literal["completed"]

class PayoutBatchCompletedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["payout_batch.completed"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: PayoutBatchCompletedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryCreatedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""

class BeneficiaryCreatedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.created"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryCreatedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryChangedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""
    change: str
    """What happened: updated, acknowledged, reacknowledgment_required, reinstated, invited, invite_canceled, invite_expired, details_submitted. More may be added."""
    changed_fields: list[str]
    """The names of the fields that changed, without their values."""

class BeneficiaryChangedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.changed"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryChangedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryReadyEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""

class BeneficiaryReadyEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.ready"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryReadyEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryActionRequiredEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""

class BeneficiaryActionRequiredEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.action_required"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryActionRequiredEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiarySuspendedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""

class BeneficiarySuspendedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.suspended"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiarySuspendedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryArchivedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""

class BeneficiaryArchivedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.archived"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryArchivedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryScreeningHitEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""
    new_hits: int
    """How many of them wait for a decision. Whose they are is not told here."""

class BeneficiaryScreeningHitEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.screening_hit"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryScreeningHitEventData
    """What it is about, as it was at the event, and fields of the type."""

class BeneficiaryScreeningClearedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    beneficiary_id: str
    """Id of the beneficiary."""
    beneficiary_type: str
    """What it is: person, business. More may be added."""
    compliance_status: str
    """Its compliance status: pending, compliant, suspended. More may be added."""
    enrollment_status: str | None
    """Its enrollment; null for one that was never enrolled."""
    collection_status: str
    """How far a form is: not_invited, invited, details_submitted. More may be added."""
    because: str
    """decided: a person cleared the last one; gone: no list has the payee any more. More may be added."""

class BeneficiaryScreeningClearedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["beneficiary.screening_cleared"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BeneficiaryScreeningClearedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BankAccountVerifiedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    bank_account_id: str
    """Id of the bank account."""
    beneficiary_id: str
    """Id of its owner."""
    country: str
    """ISO 3166-1 alpha-2."""
    currency: str
    """ISO 4217."""
    version: int
    """Number of the version of its details, from 1."""
    status: str
    """Its verification: pending_verification, verified. More may be added."""
    validation_status: str
    """What its checks said: validated, unvalidated. More may be added."""

class BankAccountVerifiedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["bank_account.verified"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BankAccountVerifiedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BankAccountRefusedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    bank_account_id: str
    """Id of the bank account."""
    beneficiary_id: str
    """Id of its owner."""
    country: str
    """ISO 3166-1 alpha-2."""
    currency: str
    """ISO 4217."""
    version: int
    """Number of the version of its details, from 1."""
    status: str
    """Its verification: pending_verification, verified. More may be added."""
    validation_status: str
    """What its checks said: validated, unvalidated. More may be added."""

class BankAccountRefusedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["bank_account.refused"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BankAccountRefusedEventData
    """What it is about, as it was at the event, and fields of the type."""

class BankAccountChangedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    bank_account_id: str
    """Id of the bank account."""
    beneficiary_id: str
    """Id of its owner."""
    country: str
    """ISO 3166-1 alpha-2."""
    currency: str
    """ISO 4217."""
    version: int
    """Number of the version of its details, from 1."""
    status: str
    """Its verification: pending_verification, verified. More may be added."""
    validation_status: str
    """What its checks said: validated, unvalidated. More may be added."""

class BankAccountChangedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["bank_account.changed"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: BankAccountChangedEventData
    """What it is about, as it was at the event, and fields of the type."""

class CollectionRequestSubmittedEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    collection_request_id: str
    """Id of the request."""
    beneficiary_id: str
    """Id of the beneficiary who was asked."""
    scope: str
    """What it asks for: full_onboarding, bank_details, tax_documents. More may be added."""
    status: Literal["submitted"]

class CollectionRequestSubmittedEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["collection_request.submitted"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: CollectionRequestSubmittedEventData
    """What it is about, as it was at the event, and fields of the type."""

class CollectionRequestExpiredEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    collection_request_id: str
    """Id of the request."""
    beneficiary_id: str
    """Id of the beneficiary who was asked."""
    scope: str
    """What it asks for: full_onboarding, bank_details, tax_documents. More may be added."""
    status: Literal["expired"]

class CollectionRequestExpiredEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["collection_request.expired"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: CollectionRequestExpiredEventData
    """What it is about, as it was at the event, and fields of the type."""

class WebhookTestEventData(TypedDict):
    """What it is about, as it was at the event, and fields of the type."""

    payout_id: str
    """Id of the payout."""
    external_ref: str | None
    """Your reference of the payout."""
    beneficiary_id: str
    """Id of the beneficiary."""
    amount: str
    """Decimal string in major units, exact for the currency: 12.50 for 1250 cents."""
    currency: str
    """ISO 4217."""
    rail_ref: str | None
    """The provider's reference of the disbursement; null until it gives one."""
    status: Literal["test"]

class WebhookTestEvent(TypedDict):
    id: str
    """Id of the event, the same in all attempts and redeliveries: skip an id that you have stored."""
    type: Literal["webhook.test"]
    api_version: str
    """Version of the shape of data, fixed when the subscription was created."""
    occurred_at: str
    """When it happened; the same in all attempts."""
    created_at: str
    """When this attempt was prepared."""
    sequence: int
    """Orders events of one occurred_at; it grows over the whole platform, with gaps."""
    data: WebhookTestEventData
    """What it is about, as it was at the event, and fields of the type."""

class CollectionInviteResultResultsCollectionRequest(TypedDict):
    id: str
    """Id of the resource."""
    scope: Literal["bank_details", "full_onboarding", "tax_documents"]
    expires_at: str
    """ISO 8601 date-time in UTC."""

class CollectionInviteResultResults(TypedDict):
    index: int
    """Position of the row, from 0; a header is not counted."""
    status: Literal["failed", "invited"]
    beneficiary_id: str | None
    collection_request: CollectionInviteResultResultsCollectionRequest | None
    error: RowError | None

class CollectionInviteResultSummary(TypedDict):
    total: int
    invited: int
    failed: int

class CollectionInviteResult(TypedDict):
    results: list[CollectionInviteResultResults]
    summary: CollectionInviteResultSummary

class RowErrorDetails(TypedDict):
    field: str
    """Path of the field, for example `invites[0].email`."""
    code: str
    """What is wrong with it; stable."""
    message: str
    """Text for people; it may change."""
    currency: NotRequired[str]
    """Of FUNDING_INSUFFICIENT: ISO 4217 code of the amounts."""
    available_minor: NotRequired[int]
    """Of FUNDING_INSUFFICIENT: what is available, in minor units of currency."""
    shortfall_minor: NotRequired[int]
    """Of FUNDING_INSUFFICIENT: what is missing, in minor units of currency."""

class RowError(TypedDict):
    code: ErrorCode
    message: str
    """Text for people; it may change."""
    details: NotRequired[list[RowErrorDetails]]
    """The rejected fields on validation failures, and the shortfall on FUNDING_INSUFFICIENT."""

class TaxDocument(TypedDict):
    id: str
    """Id of the resource."""
    collection_request_id: str
    """The collection request that it answers, a UUID."""
    form_type: Literal["other", "w8ben", "w8bene", "w9"]
    """Which form it is, as the payee said."""
    content_type: Literal["application/pdf", "image/png", "image/jpeg"]
    """By the first bytes of the file."""
    size_bytes: int
    """Size of the file in bytes."""
    created_at: str
    """ISO 8601 date-time in UTC."""

class Beneficiary(TypedDict):
    id: str
    """Id of the resource."""
    beneficiary_type: Literal["business", "person"]
    """person or business; fixed at creation."""
    name: str
    """Legal name."""
    nickname: str | None
    """Label for your own use; it is never sent to a provider."""
    display_name: str
    """The nickname, else the legal name."""
    email: str
    """E-mail address, unique ignoring case among active beneficiaries."""
    phone: str | None
    """Contact phone."""
    first_name: str | None
    """Person: given name."""
    last_name: str | None
    """Person: family name."""
    country_of_residence: str | None
    """Person: ISO 3166-1 alpha-2."""
    date_of_birth: str | None
    """YYYY-MM-DD."""
    business_name: str | None
    """Business: legal name."""
    country_of_incorporation: str | None
    """Business: ISO 3166-1 alpha-2."""
    registration_number: str | None
    """Business: registration number; never sent to a provider."""
    tax_id: str | None
    """Tax identifier. Encrypted at rest."""
    postal_address: PostalAddress | None
    """Mailing or legal address."""
    bank_details: BankDetails | None
    """Deprecated. The bank_details of the creation, masked; null when there were none."""
    compliance_status: Literal["compliant", "pending", "suspended"]
    """Whether the beneficiary may be paid."""
    identity_complete: bool
    """Whether every identity field that is required is present."""
    acknowledged_at: str | None
    """When the business last attested that it verified the beneficiary."""
    reacknowledgment_required: bool
    """Whether identity details changed after the acknowledgment. New payouts are refused until the business acknowledges again."""
    collection_status: Literal["details_submitted", "invited", "not_invited"]
    """How far the collection of the identity is."""
    details_submitted_at: str | None
    """When the payee completed the collection form."""
    status: Literal["action_required", "pending_details", "pending_kyc", "reacknowledgment_required", "ready", "suspended"]
    """What the beneficiary needs next. It follows from the other fields and cannot be set."""
    enrollment_status: Literal["closed", "pending", "rejected", "suspended", "verified"] | None
    """State of the enrollment with the provider; null when there was none."""
    pending_requests: list[PendingCollectionRequest]
    """Live collection links, of which there is one at most."""
    archived_at: str | None
    """When it was archived; null while active."""
    erased_at: str | None
    """When its personal data was erased. Then only the legal name is left, and email is an address at erased.invalid."""
    external_ref: str | None
    """The business's own reference, unique among payees that are not archived."""
    metadata: dict[str, str] | None
    """The business's own key-value pairs."""
    environment: Literal["production", "sandbox"]
    """sandbox or production."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    updated_at: str
    """ISO 8601 date-time in UTC."""

class PostalAddress(TypedDict):
    line1: str
    """Street and number."""
    line2: str | None
    """What did not fit in the first line."""
    city: str
    """City."""
    state: str | None
    """State, province or region."""
    postal_code: str | None
    """Postal code."""
    country: str
    """ISO 3166-1 alpha-2."""

class BankDetails(TypedDict):
    account_holder_name: str
    country: str
    currency: str
    account_number: str | None
    iban: str | None
    routing_code: str | None
    swift_bic: str | None
    bank_name: str | None

class PendingCollectionRequest(TypedDict):
    id: str
    """Id of the resource."""
    scope: Literal["bank_details", "full_onboarding", "tax_documents"]
    """What it collects."""
    expires_at: str
    """ISO 8601 date-time in UTC."""

class BankAccountUnusableReason(TypedDict):
    code: Literal["country_not_supported", "iban_required", "no_route", "not_verified", "rail_rejected"]
    """iban_required: a UK account without an IBAN. country_not_supported: accounts of the country cannot be checked. rail_rejected: see rail_rejection_reason. not_verified: the owner is not compliant. no_route: the account is in order, and no route of the business pays its currency to its country."""
    message: str
    """For people: what is wrong, and the next call. It may change."""

class BankAccount(TypedDict):
    id: str
    """Id of the resource."""
    beneficiary_id: str
    """The owner."""
    account_holder_name: str
    """Legal name on the account."""
    currency: str
    """ISO 4217."""
    country: str
    """ISO 3166-1 alpha-2."""
    status: Literal["pending_verification", "verified"]
    """Whether the account is verified."""
    validation_status: Literal["unvalidated", "validated"]
    """Whether the routing details are validated."""
    payout_usable: bool
    """Whether payouts can go there: verified, validated and not rejected by the rail."""
    unusable_reason: BankAccountUnusableReason | None
    """Why no payout can go there; null where payouts can. no_route may stand beside payout_usable true: the account is in order, and nothing pays its currency to its country."""
    last4: str
    """Last four characters of the identifier."""
    account_type: Literal["checking", "savings"] | None
    """US ACH account type; enrolled as checking when unset."""
    bank_name: str | None
    """Name of the bank."""
    name_check: BankAccountNameCheck | None
    """Whether the bank has the holder by that name; null where it was not asked."""
    rail_rejection_reason: str | None
    """The rail's reason when it refused the account."""
    external_ref: str | None
    """The business's own reference, unique among accounts of payees that are not archived."""
    metadata: dict[str, str] | None
    """The business's own key-value pairs."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    updated_at: str
    """ISO 8601 date-time in UTC."""

class BankAccountNameCheck(TypedDict):
    id: str | None
    """Id of the answer; null while the bank is asked."""
    result: Literal["close_match", "match", "no_match", "not_possible", "pending"]
    """What it says."""
    effect: Literal["block", "confirm", "ignore", "show"] | None
    """What the business decided about such a result; null for a match, and while the bank is asked."""
    name_on_file: str | None
    """The name that the bank has, where it tells it with a close match."""
    source: str | None
    """The provider or the bank connection that answered."""
    code: str | None
    """The source's own code."""
    checked_at: str | None
    """When it answered."""
    confirmed_at: str | None
    """When a person confirmed the account all the same."""
    confirmed_reason: str | None
    """Why."""

class BeneficiaryErasure(TypedDict):
    beneficiary_id: str
    """Id of the resource."""
    kind: Literal["deleted", "erased"]
    """How much is left."""
    ground: Literal["entered_in_error", "legal_obligation", "no_longer_needed", "payee_request"]
    """Why."""
    erased_at: str
    """ISO 8601 date-time in UTC."""

class PersonalData(TypedDict):
    beneficiary_id: str
    """Id of the resource."""
    data: dict[str, list[dict[str, Any]]]
    """Lists of what is held, by kind: beneficiary, bank_accounts, payouts and so on. Identifiers are in clear."""
    next_payouts_after: str | None
    """Where the next page of payouts begins; null after the last page."""

class RegistrationBusiness(TypedDict):
    id: str
    """Id of the resource."""
    company_name: str
    email_domain: str | None
    """Corporate domain that was claimed; null for free mail."""
    profile_status: Literal["accepted", "incomplete", "submitted"]
    created_at: str
    """ISO 8601 date-time in UTC."""

class RegistrationUser(TypedDict):
    id: str
    """Id of the resource."""
    email: str
    first_name: str | None
    last_name: str | None
    created_at: str
    """ISO 8601 date-time in UTC."""

class RegistrationMembership(TypedDict):
    id: str
    """Id of the resource."""
    business_id: str
    user_id: str
    role: Literal["admin", "approver", "developer", "owner", "preparer", "viewer"]
    created_at: str
    """ISO 8601 date-time in UTC."""

class RegistrationApiKey(TypedDict):
    id: str
    """Id of the resource."""
    environment: Literal["production", "sandbox"]
    role: Literal["admin", "approver", "developer", "owner", "preparer", "viewer"]
    key: str
    """The API key. It is shown only here."""

class Registration(TypedDict):
    business: RegistrationBusiness
    user: RegistrationUser
    membership: RegistrationMembership
    api_key: RegistrationApiKey

class BusinessProfile(TypedDict):
    legal_name: str | None
    """Legal name."""
    registration_number: str | None
    """Company registration number."""
    country: str | None
    """ISO 3166-1 alpha-2 country of registration."""
    address: PostalAddress | None
    """Registered address."""
    website: str | None
    """http or https URL."""
    industry: str | None
    """Line of business."""
    contact_phone: str | None
    """Telephone number of the contact."""
    profile_status: Literal["accepted", "incomplete", "submitted"]
    """How complete the profile is."""
    profile_submitted_at: str | None
    """When the profile became complete, or got another legal identity since; null while it is not."""
    distinct_approver: bool
    """Whether a payout must be approved by another person than its creator."""

class CollectionBrandingLogo(TypedDict):
    content_type: str
    """image/png or image/jpeg."""
    digest: str
    """The first 128 bits of the SHA-256 of the file."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    size_bytes: int

class CollectionBranding(TypedDict):
    color: str | None
    """Colour of buttons and links, `#rrggbb`."""
    support_contact: str | None
    """E-mail address or https URL where payees can ask."""
    privacy_url: str | None
    """https URL of the privacy notice."""
    language: Literal["en", "de", "fr", "es", "pt"] | None
    """Language of mails to payees whose invite names none and whose country does not tell it."""
    logo: CollectionBrandingLogo | None
    """The logo."""

class ExportFilter(TypedDict):
    beneficiary_id: str | None
    payout_batch_id: str | None
    state: list[Literal["approved", "canceled", "compliance_hold", "disbursed", "failed", "pending_approval", "rejected", "returned", "settled"]] | None
    created_since: str | None
    created_before: str | None

class ExportEntriesFilter(TypedDict):
    payout_id: str | None
    kind: list[Literal["disburse", "fail", "fee", "funding", "hold", "release", "return", "settle", "withdrawal"]] | None
    recorded_since: str | None
    recorded_before: str | None

class Export(TypedDict):
    id: str
    """Id of the resource."""
    kind: Literal["beneficiaries", "ledger_entries", "screenings", "transactions", "watchlist_days"]
    """What it holds."""
    status: Literal["completed", "expired", "failed", "pending", "running"]
    """State of the export."""
    filter: ExportFilter | None
    """Which payouts it holds; null for an export of something else."""
    entries_filter: ExportEntriesFilter | None
    """Which entries of the books it holds; null for an export of something else."""
    filename: str
    """Name that the file is saved under."""
    row_count: int
    """Rows written so far, without the header."""
    byte_count: int
    """Bytes written so far."""
    schedule_id: str | None
    """The schedule that made it; null for one that was requested."""
    failure_message: str | None
    """Why it failed, in words; null unless it did."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    started_at: str | None
    """When the latest run of its job began, and its snapshot with it; null before."""
    completed_at: str | None
    """When it was completed or failed; null before."""
    expires_at: str | None
    """When the download ends; null until the export is completed."""

class FundingAccount(TypedDict):
    id: str
    """Id of the resource."""
    environment: Literal["production", "sandbox"]
    """sandbox (test money) or production."""
    currency: str
    """ISO 4217."""
    status: Literal["active", "closed"]
    """Whether payouts can be funded from the account."""
    mode: Literal["enforced", "reported"]
    """Whether availableBalanceMinor is reported, or what the books say."""
    available_balance_minor: int
    """Minor units of currency: the balance that was last reported or, in the mode enforced, what the books say is available."""
    posted_minor: int
    """What the books have on the account funds, in minor units of currency. It may be below zero, and beyond 2^53."""
    held_minor: int
    """What is reserved for approved payouts, in minor units of currency. It may be below zero, and beyond 2^53."""
    in_transit_minor: int
    """What the provider has and has not settled, in minor units of currency. It may be below zero, and beyond 2^53."""
    balances: list[LedgerBalance]
    """What the books say in each currency that there was an entry in, and in the account's own."""
    as_of: str
    """ISO 8601 date-time in UTC."""
    created_at: str
    """ISO 8601 date-time in UTC."""

class LedgerBalance(TypedDict):
    currency: str
    """ISO 4217."""
    posted_minor: int
    """What is on the account funds, in minor units of currency. It may be below zero, and beyond 2^53."""
    held_minor: int
    """Reserved for approved payouts, in minor units of currency. It may be below zero, and beyond 2^53."""
    available_minor: int
    """What may still be promised: posted less held. A sandbox draws nothing down, so there it is what is posted, in minor units of currency. It may be below zero, and beyond 2^53."""
    in_transit_minor: int
    """What the provider has and has not settled, in minor units of currency. It may be below zero, and beyond 2^53."""
    paid_minor: int
    """What has arrived, in minor units of currency. It may be below zero, and beyond 2^53."""
    fees_minor: int
    """What providers and banks took, in minor units of currency. It may be below zero, and beyond 2^53."""
    shortfall_minor: int
    """What approved payouts need more than there is while funds are enforced, because money went out after their approval; zero otherwise, in minor units of currency. It may be below zero, and beyond 2^53."""

class Books(TypedDict):
    mode: Literal["enforced", "reported"]
    """Whether an approval of more than is available is refused."""
    balances: list[LedgerBalance]
    """A line for each currency that there was an entry in, by its code."""

class LedgerEntryTransition(TypedDict):
    seq: int
    """Number of the transition, from 1."""
    from_state: str
    """State before; new for the creation."""
    to_state: str
    """State after."""

class LedgerEntry(TypedDict):
    id: str
    """Id of the resource."""
    kind: Literal["disburse", "fail", "fee", "funding", "hold", "release", "return", "settle", "withdrawal"]
    """What it stands for. hold and release reserve and move nothing."""
    currency: str
    """ISO 4217."""
    amount_minor: int
    """Minor units of currency, always above zero."""
    debit_account: Literal["external", "fees", "funds", "in_transit", "paid"]
    """The account that it adds to."""
    credit_account: Literal["external", "fees", "funds", "in_transit", "paid"]
    """The account that it takes from, or reserves on."""
    payout_id: str | None
    """The payout whose money it is; null where it is of none."""
    transition: LedgerEntryTransition | None
    """The transition of the payout that caused it; null where none did."""
    source: str | None
    """The report, statement line or order that caused it, which is booked once; null where a transition did."""
    recorded_at: str
    """ISO 8601 date-time in UTC."""

class PayoutBulkResultResults(TypedDict):
    index: int
    status: Literal["created", "failed", "not_attempted", "replayed"]
    """replayed: the payout existed before, also when an atomic request was refused. not_attempted: the row is in order but was not created, since another row of the atomic request failed; send it again with the same key."""
    payout: Payout | None
    error: RowError | None
    funding: FundingOutlook | None
    """Of a row that a dry run would create; null otherwise."""

class PayoutBulkResultSummary(TypedDict):
    total: int
    created: int
    replayed: int
    failed: int
    not_attempted: int

class PayoutBulkResult(TypedDict):
    results: list[PayoutBulkResultResults]
    summary: PayoutBulkResultSummary
    dry_run: NotRequired[Literal[True]]

class Payout(TypedDict):
    id: str
    """Id of the resource."""
    state: Literal["approved", "canceled", "compliance_hold", "disbursed", "failed", "pending_approval", "rejected", "returned", "settled"]
    """Current state."""
    beneficiary_id: str
    """Id of the payee."""
    beneficiary_name: str | None
    """Legal name of the payee when the payout was created."""
    beneficiary_type: Literal["business", "person"]
    """person or business."""
    bank_account_id: str
    """Id of the destination."""
    amount_minor: int
    """Minor units of currency."""
    currency: str
    """ISO 4217."""
    purpose_of_payment: str
    """Why the money is paid; a value of the reference list of purposes."""
    external_ref: str | None
    """The business's own reference."""
    idempotency_key: str
    """Key under which the create can be replayed for 24 hours."""
    validator_strategy: Literal["agent", "auto", "manual"]
    """Who decides on the payout."""
    environment: Literal["production", "sandbox"]
    """sandbox or production."""
    metadata: dict[str, str] | None
    """The business's own key-value pairs."""
    provider: str | None
    """Provider of the latest disbursement attempt."""
    provider_payout_id: str | None
    """The provider's id of the latest disbursement attempt."""
    rail_ref: str | None
    """The provider's reference of the disbursement."""
    failure_code: str | None
    """Code of the reason why the payout failed or was returned."""
    failure_message: str | None
    """The same in words."""
    replaces_payout_id: str | None
    """The failed or returned payout that this one replaces."""
    batch_id: str | None
    """The batch that it was made of; null for one that was created by itself."""
    shortfall_minor: int | None
    """What the funds lack for it, in minor units of currency, because money went out after its approval while funds are enforced; null where they cover it. It is handed over all the same. It changes without updated_at."""
    via: str | None
    """Reserved; null in this version."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    updated_at: str
    """ISO 8601 date-time in UTC."""
    approved_at: str | None
    """Time of the approval."""
    disbursed_at: str | None
    """When the provider confirmed that the money left."""
    settled_at: str | None
    """When the money arrived."""

class FundingOutlook(TypedDict):
    """Whether the funds would cover the approval of the payout at this moment."""

    currency: str
    """ISO 4217 code of the amounts."""
    available_minor: int
    """Posted funds, less what is held for approved payouts and what earlier rows of the request would take; in minor units of currency."""
    shortfall_minor: int
    """What would be missing, in minor units of currency; 0 where the funds cover it."""

class PayoutEnvelope(TypedDict):
    payout: Payout

class PayoutDryRun(TypedDict):
    """The request would have been accepted."""

    payout: Payout | None
    """Null: nothing was created."""
    dry_run: Literal[True]
    funding: FundingOutlook

class PayoutWithApproval(TypedDict):
    payout: Payout
    approval: PayoutApproval | None
    """What the approval policy demands of it while it waits, and whether you may approve it; null where there is no policy, and after the approval."""

class PayoutApproval(TypedDict):
    permitted: bool
    """Whether your approval would count."""
    obstacles: list[Literal["account_changed", "account_changer", "already_approved", "earlier_approver", "four_eyes", "name_check_blocked", "name_check_pending", "name_check_unconfirmed", "nobody_can_approve", "not_in_group", "not_waiting", "payee_editor", "predecessor_examined", "role"]]
    """What keeps you from it. Each is enough."""
    demands: list[ApprovalDemand]
    """In the order of the steps."""

class ApprovalDemand(TypedDict):
    policy_version: int
    """The version of the policy that demands it."""
    rule: int | None
    """The number of the rule; 0 for distinct_approver, null for the one approver who is needed where no rule holds."""
    step: int
    """From 1. The steps are in order."""
    approvals: int
    """How many people have to approve."""
    counted: int
    """How many approvals count at this moment."""
    missing: int
    """How many are missing."""
    groups: list[str]
    """Whose members may: roles, and ids of groups."""
    distinct_from: list[Literal["account_changer", "creator", "earlier_approvers", "payee_editor"]]
    """Whose approval does not count."""
    is_open: bool
    """Whether it waits for approvals now."""
    obstacle: Literal["account_changer", "already_approved", "creator", "earlier_approver", "not_in_group", "not_open", "payee_editor"] | None
    """Why your approval would not count for it; null where it would."""
    expires_at: str | None
    """When the payout goes back to its first step unless the step is fulfilled before; null where it does not."""
    nobody_can_approve: bool
    """Whether too few are left who could give what is missing."""

class DecisionReasons(TypedDict):
    code: str
    message: str
    details: dict[str, Any]

class Decision(TypedDict):
    id: str
    """Id of the resource."""
    decision_id: str
    """The caller's ULID; the idempotency key within the payout."""
    payout_id: str
    """The payout decided on."""
    status: Literal["approved", "pending_review", "rejected"]
    """The outcome."""
    reasons: list[DecisionReasons]
    """List of {code, message, details}."""
    evaluated_by: dict[str, Any]
    """Who decided, as the caller claims."""
    evaluated_at: str
    """ISO 8601 date-time in UTC."""
    submitted_by: dict[str, Any] | None
    """Whose API key submitted it."""
    submitted_at: str
    """ISO 8601 date-time in UTC."""
    policy_version: str | None
    """Version of the policy that was applied."""
    agent_version: str | None
    """Version of the agent that decided."""
    confidence: float | None
    """From 0 to 1."""

class PayoutBatch(TypedDict):
    id: str
    """Id of the resource."""
    name: str
    """The name that its maker gave it."""
    state: Literal["canceled", "completed", "draft", "submitted"]
    """What it is."""
    idempotency_key: str
    """Key under which it was made; another batch never has it."""
    row_count: int
    """How many rows it has, those that are left out too."""
    revision: int
    """Counts the changes of its rows."""
    is_checked: bool
    """Whether all of its rows were checked since their latest change."""
    checked_at: str | None
    """When all of its rows were last checked; null before."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    submitted_at: str | None
    """When it was submitted; null before."""
    made_at: str | None
    """When each of its rows had its payout, or the reason why none could be made; null before."""
    approved_at: str | None
    """When it was seen that none of its payouts waits for a decision any more and at least one was approved; null before."""
    completed_at: str | None
    """When it was seen that each of its payouts has ended; null before."""
    canceled_at: str | None
    """When it was canceled; null unless it was."""
    updated_at: str
    """ISO 8601 date-time in UTC."""

class PayoutBatchSummary(TypedDict):
    statuses: list[PayoutBatchStatusCount]
    """Its rows by what became of them."""
    totals: list[PayoutBatchTotal]
    """What it comes to in each currency."""
    states: list[PayoutBatchStateTotal]
    """Its payouts by state and currency."""
    routes: list[PayoutBatchRoute]
    """Who pays it, or would."""

class PayoutBatchStatusCount(TypedDict):
    status: Literal["failed", "left_out", "made", "ready", "unchecked", "wrong"]
    """The status."""
    rows: int
    """How many rows."""

class PayoutBatchTotal(TypedDict):
    currency: str
    """ISO 4217."""
    rows: int
    """How many rows."""
    amount_minor: int
    """What they come to, in minor units of currency. It may be below zero, and beyond 2^53."""
    undecided_minor: int
    """What of it no decision has let go yet, in minor units of currency. It may be below zero, and beyond 2^53."""
    available_minor: int
    """Posted funds, less what is held for approved payouts, in minor units of currency. It may be below zero, and beyond 2^53."""
    shortfall_minor: int
    """What the funds lack for what is undecided; 0 where they cover it, in minor units of currency. It may be below zero, and beyond 2^53."""

class PayoutBatchStateTotal(TypedDict):
    state: Literal["approved", "canceled", "compliance_hold", "disbursed", "failed", "pending_approval", "rejected", "returned", "settled"]
    """The state."""
    currency: str
    """ISO 4217."""
    payouts: int
    """How many payouts have it."""
    amount_minor: int
    """What they come to, in minor units of currency. It may be below zero, and beyond 2^53."""

class PayoutBatchRoute(TypedDict):
    provider: str | None
    """The provider; null where none is known."""
    currency: str
    """ISO 4217."""
    rows: int
    """How many rows."""
    amount_minor: int
    """What they come to, in minor units of currency. It may be below zero, and beyond 2^53."""

class PayoutBatchProblem(TypedDict):
    code: str
    """Code of the error catalogue."""
    message: str
    """The same in words."""
    rows: int
    """How many rows."""
    first_rows: list[int]
    """The numbers of the first 50 of them."""

class PayoutBatchRow(TypedDict):
    row: int
    """Its number in the batch, from 1."""
    status: Literal["failed", "left_out", "made", "ready", "unchecked", "wrong"]
    """What became of it."""
    beneficiary_id: str
    """The payee, as it was given."""
    bank_account_id: str
    """The destination, as it was given."""
    amount_minor: int | None
    """Amount in minor units of currency; null where what was given is no integer."""
    currency: str
    """The currency, as it was given."""
    purpose_of_payment: str | None
    """Why the money is paid, as it was given."""
    external_ref: str | None
    """The business's own reference."""
    metadata: dict[str, str] | None
    """The business's own key-value pairs."""
    provider: str | None
    """Who would pay it, as the routes stood when it was checked; null before, and for a row that is wrong."""
    payout_id: str | None
    """The payout that was made of it; null before."""
    error: RowError | None
    """Why it is wrong, or no payout could be made of it; null otherwise."""

class CorridorOptionsFields(TypedDict):
    field: str
    description: str
    pattern: str | None
    """Regular expression; null where any text is taken."""

class CorridorOptions(TypedDict):
    validated: bool
    """Whether passing its checks makes the account validated."""
    fields: list[CorridorOptionsFields]

class Corridor(TypedDict):
    country: str
    """ISO 3166-1 alpha-2."""
    payout_usable: bool
    """Whether an account there can become a destination of payouts."""
    required: list[str]
    """Fields that every account needs."""
    options: list[CorridorOptions]
    """Alternatives: all fields of one of them are needed."""

class PayoutProvider(TypedDict):
    """Whoever a route may lead to."""

    name: str
    """Name of the provider, as routes and payouts have it."""
    connection_id: str | None
    """The connection; null for a provider of the deployment."""
    connection_name: str | None
    """How people call the connection."""
    enrolls: bool
    """Keeps recipients: a payee is enrolled there before the first payment."""
    checks_names: bool
    """Compares the holder's name with that of the bank before it pays."""
    estimates_arrival: bool
    """Says when the money of a payment is expected to arrive."""
    tells_fees: bool
    """Says what a payment costs."""
    takes_execution_date: bool
    """Can be told the day on which a payment is to be made."""
    takes_cancellation: bool
    """Can be asked to cancel a payment that was handed over."""
    reports_balance: bool
    """Says how much money there is to pay from."""
    pays: list[PaidScheme]
    """A payment that none of them reaches is not paid by the provider."""

class PaidScheme(TypedDict):
    """One way in which a provider pays."""

    scheme: str | None
    """As the provider calls it; null where it has no name, or the provider chooses."""
    currencies: list[str] | None
    """ISO 4217 codes; null where nothing limits them, or nothing is known of it."""
    except_currencies: list[str]
    """ISO 4217 codes in which it does not pay, where currencies is null."""
    countries: list[str] | None
    """Of the payees' accounts, ISO 3166-1 alpha-2; null where nothing limits them, or nothing is known of it."""
    largest_amount_minor: int | None
    """Largest amount, in minor units of the payment's currency; null where none is known."""

class ScreeningFigures(TypedDict):
    settings: ScreeningSettings | None
    """Null where no list was ever loaded: nothing is screened."""
    lists: list[ScreenedList]
    """The lists that are demanded, as they stand now."""
    open_hits: int
    """Hits on which nobody has decided."""
    oldest_open_at: str | None
    """When the oldest of them was found."""
    payees_with_hit: int
    """Payees with an open hit."""
    payees_confirmed: int
    """Payees with a confirmed hit."""
    payees_incomplete: int
    """Payees whose result is incomplete, where that holds payouts."""
    payees_pending: int
    """Payees who are being screened."""

class ScreeningSettings(TypedDict):
    revision: int
    """Counts the changes. A change names the revision that it has seen."""
    max_age_days: int
    """After how many days without a look at the lists in use a result holds payouts."""
    incomplete_blocks: bool
    """Whether a result in which a list is not current holds payouts."""
    lists: list[Literal["eu", "ofac_consolidated", "ofac_sdn", "own", "uk", "un"]] | None
    """The lists that are demanded; null for each that was ever loaded."""
    confirmed_at: str | None
    """When all payees were last known to be screened against the lists in use."""

class ScreenedList(TypedDict):
    kind: Literal["eu", "ofac_consolidated", "ofac_sdn", "own", "uk", "un"]
    """Whose list."""
    state: Literal["current", "failed", "never", "stale"]
    """Whether it could be relied on."""
    sequence: int | None
    """Number of the version; null where there was none."""
    sha256: str | None
    """SHA-256 of its files."""
    listed_on: str | None
    """The day that the list states of itself, YYYY-MM-DD."""

class ScreeningHit(TypedDict):
    id: str
    """Id of the resource."""
    beneficiary_id: str
    """The payee."""
    list: Literal["eu", "ofac_consolidated", "ofac_sdn", "own", "uk", "un"]
    """Whose list."""
    ref: str
    """The publisher's own id of the entry."""
    entry_digest: str
    """SHA-256 of the entry as it was."""
    score: float
    """How well they agree, from 0 to 1."""
    ofac: int
    """What OFAC's own search would show for the name, from 0 to 100."""
    status: Literal["cleared", "confirmed", "gone", "open"]
    """What became of it."""
    found_at: str
    """ISO 8601 date-time in UTC."""
    updated_at: str
    """ISO 8601 date-time in UTC."""
    subject_name: str | None
    """The name of the payee that agrees; null once it is erased."""
    listed_name: str | None
    """The name of the entry that agrees."""
    listed_names: list[str] | None
    """All names of the entry."""
    listed_births: list[str] | None
    """Its birth dates, as far as the list knows them."""
    listed_countries: list[str] | None
    """Its countries, ISO 3166-1 alpha-2."""
    programmes: list[str] | None
    """Under which programmes it is listed, or why on the list of the platform."""
    reasons: list[ScreeningReason] | None
    """Why it is a hit, part by part."""
    decisions: list[ScreeningDecision]
    """What was decided, the oldest first."""

class ScreeningReason(TypedDict):
    of: Literal["alias", "birth", "country", "identifier", "name", "type"]
    """What is compared."""
    verdict: Literal["agrees", "differs", "unknown"]
    """Whether it agrees."""
    text: str
    """In words for whoever decides."""

class ScreeningDecision(TypedDict):
    seq: int
    """Number of the decision, from 1."""
    from_status: Literal["cleared", "confirmed", "gone", "open"]
    """What the hit was."""
    to_status: Literal["cleared", "confirmed", "gone", "open"]
    """What it was found to be."""
    actor: dict[str, Any]
    """Who decided, as it was recorded then."""
    reason: str | None
    """Why; null once the payee is erased."""
    evidence: str | None
    """What shows it; null once the payee is erased."""
    decided_at: str
    """ISO 8601 date-time in UTC."""

class BeneficiaryScreening(TypedDict):
    standing: Literal["clear", "confirmed", "hit", "incomplete", "pending"] | None
    """What lists say of the payee; null where nothing is screened."""
    screened_at: str | None
    """When it was screened last."""
    result: ScreeningResult | None
    """The latest result."""
    hits: list[ScreeningHit]
    """The latest 25 hits, newest first."""

class ScreeningResult(TypedDict):
    id: str
    """Id of the resource."""
    engine: str
    """Which engine answered."""
    lists: list[ScreenedList]
    """The lists that were demanded, with their versions."""
    incomplete: bool
    """Whether one of them could not be relied on: no hit does not mean that there is none."""
    hits: int
    """How many entries it found."""
    best_score: float | None
    """The score of the best one, from 0 to 1."""
    threshold: float
    """From which score on an entry was a hit."""
    subject: ScreenedSubject | None
    """Whom the lists were asked for; null once the payee is erased."""
    screened_at: str
    """ISO 8601 date-time in UTC."""

class ScreenedSubject(TypedDict):
    type: Literal["aircraft", "organisation", "person", "unknown", "vessel"]
    """A person or an organisation."""
    names: list[str]
    """Its names."""
    birth: str | None
    """The birth date."""
    countries: list[str]
    """Of residence, incorporation and address, ISO 3166-1 alpha-2."""
    identifiers: list[str]
    """Numbers of registers and taxes."""

class WebhookSubscription(TypedDict):
    id: str
    """Id of the resource."""
    environment: Literal["production", "sandbox"]
    """sandbox or production."""
    url: str
    """The https URL that events are posted to."""
    pending_url: str | None
    """A URL that waits until a second owner or admin of the business sends it, in production; null where none does. Until then events go to url."""
    enabled_events: list[Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired"]]
    """Event types that are delivered. Known: payout.disbursement_submitted, payout.acknowledged, payout.estimated_arrival_at, payout.disbursed, payout.settled, payout.failed, payout.returned, payout.created, payout.approved, payout.approval_expired, payout.rejected, payout.canceled, payout.held, payout.released, payout.replaced, payout_batch.submitted, payout_batch.approved, payout_batch.completed, beneficiary.created, beneficiary.changed, beneficiary.ready, beneficiary.action_required, beneficiary.suspended, beneficiary.archived, beneficiary.screening_hit, beneficiary.screening_cleared, bank_account.verified, bank_account.refused, bank_account.changed, collection_request.submitted, collection_request.expired. More may be added."""
    enabled: bool
    """Whether events are delivered."""
    api_version: str
    """API version of the payloads, fixed when the subscription was created."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    updated_at: str
    """ISO 8601 date-time in UTC."""

class WebhookDelivery(TypedDict):
    id: str
    """Id of the resource."""
    event_id: str
    event_type: Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired", "webhook.test"]
    payout_id: str | None
    """Null where it is about no payout."""
    subject_id: str | None
    """The payee, the bank account or the collection request that it is about; null for an event of a payout."""
    subscription_id: str
    """The subscription, which may have been deleted since."""
    status: Literal["canceled", "dead", "delivered", "pending"]
    """State of the delivery."""
    attempt_count: int
    """Attempts made so far."""
    next_attempt_at: str | None
    """When the next attempt is due; null when there is none."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    completed_at: str | None
    """When it was delivered, given up or canceled."""

class WebhookDeliveryWithAttempts(TypedDict):
    id: str
    """Id of the resource."""
    event_id: str
    event_type: Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired", "webhook.test"]
    payout_id: str | None
    """Null where it is about no payout."""
    subject_id: str | None
    """The payee, the bank account or the collection request that it is about; null for an event of a payout."""
    subscription_id: str
    """The subscription, which may have been deleted since."""
    status: Literal["canceled", "dead", "delivered", "pending"]
    """State of the delivery."""
    attempt_count: int
    """Attempts made so far."""
    next_attempt_at: str | None
    """When the next attempt is due; null when there is none."""
    created_at: str
    """ISO 8601 date-time in UTC."""
    completed_at: str | None
    """When it was delivered, given up or canceled."""
    attempts: list[WebhookDeliveryAttempt]
    """The latest 100 attempts, oldest first."""

class WebhookDeliveryAttempt(TypedDict):
    number: int
    """Number of the attempt, from 1."""
    started_at: str
    """ISO 8601 date-time in UTC."""
    latency_ms: int
    """How long it took, in milliseconds."""
    status_code: int | None
    """HTTP status of the answer; null when there was none."""
    answer: str | None
    """Up to 1 KiB of the answer."""
    error: str | None
    """Why there was no answer."""

class WebhookRedelivery(TypedDict):
    count: int
    """Deliveries that are sent again."""
    remaining: int
    """Deliveries that remain, counted up to 100,000. Repeat the call to send them."""
    starts_at: str | None
    """When the first of them is due."""
    ends_at: str | None
    """When the last of them is due."""
    dry_run: bool
    """True when nothing is sent."""

class Event(TypedDict):
    id: str
    """Id of the resource."""
    type: Literal["payout.disbursement_submitted", "payout.acknowledged", "payout.estimated_arrival_at", "payout.disbursed", "payout.settled", "payout.failed", "payout.returned", "payout.created", "payout.approved", "payout.approval_expired", "payout.rejected", "payout.canceled", "payout.held", "payout.released", "payout.replaced", "payout_batch.submitted", "payout_batch.approved", "payout_batch.completed", "beneficiary.created", "beneficiary.changed", "beneficiary.ready", "beneficiary.action_required", "beneficiary.suspended", "beneficiary.archived", "beneficiary.screening_hit", "beneficiary.screening_cleared", "bank_account.verified", "bank_account.refused", "bank_account.changed", "collection_request.submitted", "collection_request.expired", "webhook.test"]
    """Event type. Known: payout.disbursement_submitted, payout.acknowledged, payout.estimated_arrival_at, payout.disbursed, payout.settled, payout.failed, payout.returned, payout.created, payout.approved, payout.approval_expired, payout.rejected, payout.canceled, payout.held, payout.released, payout.replaced, payout_batch.submitted, payout_batch.approved, payout_batch.completed, beneficiary.created, beneficiary.changed, beneficiary.ready, beneficiary.action_required, beneficiary.suspended, beneficiary.archived, beneficiary.screening_hit, beneficiary.screening_cleared, bank_account.verified, bank_account.refused, bank_account.changed, collection_request.submitted, collection_request.expired, webhook.test. More may be added."""
    occurred_at: str
    """ISO 8601 date-time in UTC."""
    recorded_at: str
    """When it was written: the order of a list with `since`, and the next `since`."""
    sequence: int
    """Orders events of one payout with equal occurredAt; an integer."""
    payout_id: str | None
    """Null where it is about no payout."""
    subject_id: str | None
    """The payee, the bank account or the collection request that it is about; null for an event of a payout."""
    data: dict[str, Any]
    """The payload that endpoints get: see the webhook of the type."""
    deliveries: list[EventDelivery]
    """What was sent; empty where no endpoint took it."""

class EventDelivery(TypedDict):
    id: str
    """Id of the resource."""
    subscription_id: str
    """The endpoint."""
    status: Literal["canceled", "dead", "delivered", "pending"]
    attempt_count: int
    next_attempt_at: str | None
    completed_at: str | None

class BulkInviteRow(TypedDict):
    email: NotRequired[str | None]
    """Address of an active beneficiary of this type, or of one to be registered."""
    beneficiary_type: NotRequired[Literal["business", "person"] | None]
    """Needed with email."""
    first_name: NotRequired[str | None]
    """Person: given name."""
    last_name: NotRequired[str | None]
    """Person: family name."""
    business_name: NotRequired[str | None]
    """Business: legal name."""
    nickname: NotRequired[str | None]
    """Label of the beneficiary, if one is registered."""
    scope: NotRequired[Literal["bank_details", "full_onboarding", "tax_documents"] | None]
    """What is asked for; full_onboarding by default."""
    language: NotRequired[Literal["en", "de", "fr", "es", "pt"] | None]
    """Language of the mail and the form. By default that of the country of the beneficiary, else of the branding, else English."""

class CollectionInvite(TypedDict):
    beneficiary_id: NotRequired[str | None]
    """An active beneficiary. Then only scope and language may be given with it."""
    email: NotRequired[str | None]
    """Address of an active beneficiary of this type, or of one to be registered."""
    beneficiary_type: NotRequired[Literal["business", "person"] | None]
    """Needed with email."""
    first_name: NotRequired[str | None]
    """Person: given name."""
    last_name: NotRequired[str | None]
    """Person: family name."""
    business_name: NotRequired[str | None]
    """Business: legal name."""
    nickname: NotRequired[str | None]
    """Label of the beneficiary, if one is registered."""
    scope: NotRequired[Literal["bank_details", "full_onboarding", "tax_documents"] | None]
    """What is asked for; full_onboarding by default."""
    language: NotRequired[Literal["en", "de", "fr", "es", "pt"] | None]
    """Language of the mail and the form. By default that of the country of the beneficiary, else of the branding, else English."""

class ErrorEnvelopeErrorActor(TypedDict):
    user_id: str
    """Id of the user."""
    membership_id: str
    """Id of the membership in the business."""
    role: Literal["admin", "approver", "developer", "owner", "preparer", "viewer"]
    """Role of the key."""
    environment: Literal["production", "sandbox"]

class ErrorEnvelopeErrorDetails(TypedDict):
    field: str
    """Path of the field, for example `invites[0].email`."""
    code: str
    """What is wrong with it; stable."""
    message: str
    """Text for people; it may change."""
    currency: NotRequired[str]
    """Of FUNDING_INSUFFICIENT: ISO 4217 code of the amounts."""
    available_minor: NotRequired[int]
    """Of FUNDING_INSUFFICIENT: what is available, in minor units of currency."""
    shortfall_minor: NotRequired[int]
    """Of FUNDING_INSUFFICIENT: what is missing, in minor units of currency."""

class ErrorEnvelopeError(TypedDict):
    code: ErrorCode
    message: str
    """Text for people; it may change."""
    request_id: str
    """Id of the request, as in the header X-Request-Id."""
    occurred_at: str
    """ISO 8601 date-time in UTC."""
    actor: ErrorEnvelopeErrorActor | None
    """The caller; null without a valid credential."""
    details: NotRequired[list[ErrorEnvelopeErrorDetails]]
    """The rejected fields on validation failures, and the shortfall on FUNDING_INSUFFICIENT."""
    docs_url: str
    """Section of the error reference about the code."""

class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError

class PayoutBulkRowBeneficiary(TypedDict):
    """Identity fields to be compared."""

    beneficiary_type: NotRequired[Literal["business", "person"]]
    email: NotRequired[str]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    business_name: NotRequired[str]
    country_of_residence: NotRequired[str]
    country_of_incorporation: NotRequired[str]
    registration_number: NotRequired[str]
    date_of_birth: NotRequired[str]
    tax_id: NotRequired[str]

class PayoutBulkRow(TypedDict):
    beneficiary_id: str
    """The payee."""
    bank_account_id: str
    """The destination, of that payee."""
    amount_minor: int
    """Minor units of currency: 1250 is USD 12.50 and JPY 1250."""
    currency: str
    """ISO 4217; the bank account's currency."""
    purpose_of_payment: Literal["advertising", "affiliate_commission", "bonus", "contractor_payment", "donation", "education", "freight_logistics", "goods_purchase", "insurance", "intercompany_transfer", "invoice_payment", "loan_repayment", "marketplace_payout", "medical", "payroll", "professional_services", "refund", "reimbursement", "rent", "royalties", "software_services", "taxes", "travel", "utilities", "other"]
    """What the money is for; banks and rails ask for it."""
    idempotency_key: str
    """Repeating a create with the same key within 24 hours gives the same payout."""
    external_ref: NotRequired[str | None]
    """The business's own reference."""
    validator_strategy: NotRequired[Literal["agent", "auto", "manual"]]
    """Who decides; manual by default."""
    replaces_payout_id: NotRequired[str | None]
    """A failed or returned payout to be replaced, once."""
    beneficiary: NotRequired[PayoutBulkRowBeneficiary]
    """Identity fields to be compared."""
    metadata: NotRequired[dict[str, str] | None]
    """Up to 20 pairs of texts; values have up to 500 characters. Returned unchanged."""

class TaxDocumentList(TypedDict):
    tax_documents: list[TaxDocument]

class BeneficiaryPage(TypedDict):
    beneficiaries: list[Beneficiary]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class BeneficiaryEnvelope(TypedDict):
    beneficiary: Beneficiary

class AcknowledgeBeneficiaryRequest(TypedDict):
    pass

class EnrollBeneficiaryAnswer(TypedDict):
    beneficiary: Beneficiary
    bank_account: BankAccount

class EnrollBeneficiaryRequest(TypedDict):
    bank_account_id: NotRequired[str | None]
    """The account to enroll; needed when several accounts are payout_usable."""

class BeneficiaryErasureEnvelope(TypedDict):
    erasure: BeneficiaryErasure

class PersonalDataEnvelope(TypedDict):
    personal_data: PersonalData

class ExportPersonalDataRequest(TypedDict):
    payouts_after: NotRequired[str | None]
    """next_payouts_after of the page before; absent for the first page."""

class BankAccountList(TypedDict):
    bank_accounts: list[BankAccount]

class BankAccountEnvelope(TypedDict):
    bank_account: BankAccount

class BankAccountPage(TypedDict):
    bank_accounts: list[BankAccount]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class VerifyBankAccountRequest(TypedDict):
    pass

class BusinessProfileEnvelope(TypedDict):
    business_profile: BusinessProfile

class CollectionBrandingEnvelope(TypedDict):
    collection_branding: CollectionBranding

class ExportPage(TypedDict):
    exports: list[Export]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class FundingAccountEnvelope(TypedDict):
    funding_account: FundingAccount

class BooksEnvelope(TypedDict):
    books: Books

class LedgerEntryPage(TypedDict):
    entries: list[LedgerEntry]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class PayoutPage(TypedDict):
    payouts: list[Payout]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class ApprovePayoutAnswer(TypedDict):
    payout: Payout
    decision: Decision

class ApprovePayoutRequestReasons(TypedDict):
    code: NotRequired[str]
    message: str
    details: NotRequired[dict[str, Any]]

class ApprovePayoutRequest(TypedDict):
    decision_id: NotRequired[str]
    reasons: NotRequired[list[ApprovePayoutRequestReasons]]

class RejectPayoutAnswer(TypedDict):
    payout: Payout
    decision: Decision

class RejectPayoutRequestReasons(TypedDict):
    code: NotRequired[str]
    message: str
    details: NotRequired[dict[str, Any]]

class RejectPayoutRequest(TypedDict):
    decision_id: NotRequired[str]
    reasons: NotRequired[list[RejectPayoutRequestReasons]]

class CancelPayoutRequest(TypedDict):
    pass

class DecisionPage(TypedDict):
    decisions: list[Decision]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class DecisionEnvelope(TypedDict):
    decision: Decision

class PayoutBatchPage(TypedDict):
    payout_batches: list[PayoutBatch]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class PayoutBatchEnvelope(TypedDict):
    payout_batch: PayoutBatch

class GetPayoutBatchAnswer(TypedDict):
    payout_batch: PayoutBatch
    summary: PayoutBatchSummary
    problems: list[PayoutBatchProblem]
    """Why rows are refused, the most frequent reason first."""

class PayoutBatchRowPage(TypedDict):
    rows: list[PayoutBatchRow]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class CheckPayoutBatchAnswer(TypedDict):
    payout_batch: PayoutBatch
    summary: PayoutBatchSummary
    problems: list[PayoutBatchProblem]
    """Why rows are refused, the most frequent reason first."""

class CheckPayoutBatchRequest(TypedDict):
    pass

class SubmitPayoutBatchAnswer(TypedDict):
    payout_batch: PayoutBatch
    summary: PayoutBatchSummary
    problems: list[PayoutBatchProblem]
    """Why rows are refused, the most frequent reason first."""

class CancelPayoutBatchAnswer(TypedDict):
    payout_batch: PayoutBatch
    summary: PayoutBatchSummary
    problems: list[PayoutBatchProblem]
    """Why rows are refused, the most frequent reason first."""

class CancelPayoutBatchRequest(TypedDict):
    pass

class CorridorEnvelope(TypedDict):
    corridor: Corridor

class ListPurposesAnswer(TypedDict):
    purposes: list[str]

class PayoutProviderList(TypedDict):
    providers: list[PayoutProvider]

class ScreeningFiguresEnvelope(TypedDict):
    screening: ScreeningFigures

class ScreeningHitPage(TypedDict):
    hits: list[ScreeningHit]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class ScreeningHitEnvelope(TypedDict):
    hit: ScreeningHit

class BeneficiaryScreeningEnvelope(TypedDict):
    screening: BeneficiaryScreening

class ScreeningResultPage(TypedDict):
    results: list[ScreeningResult]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class WebhookSubscriptionEnvelope(TypedDict):
    subscription: WebhookSubscription

class RegisterWebhookSubscriptionAnswer(TypedDict):
    subscription: WebhookSubscription
    secret: str
    """The key of the signatures. It is shown only here."""
    standard_webhooks_secret: str
    """The same key as libraries of Standard Webhooks (standardwebhooks.com) take it: `whsec_` and base64. It is shown only here."""

class WebhookDeliveryEnvelope(TypedDict):
    delivery: WebhookDelivery

class TestWebhookSubscriptionRequest(TypedDict):
    pass

class WebhookDeliveryPage(TypedDict):
    deliveries: list[WebhookDelivery]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class WebhookDeliveryWithAttemptsEnvelope(TypedDict):
    delivery: WebhookDeliveryWithAttempts

class WebhookRedeliveryEnvelope(TypedDict):
    redelivery: WebhookRedelivery

class RedeliverWebhookRequest(TypedDict):
    pass

class EventPage(TypedDict):
    events: list[Event]
    next_cursor: str | None
    """Pass it as cursor for the next page; null on the last page."""

class EventEnvelope(TypedDict):
    event: Event

class ExportEnvelope(TypedDict):
    export: Export

ErrorCode: TypeAlias = "Literal[\"bad_request\", \"validation_failed\", \"unauthorized\", \"forbidden\", \"not_found\", \"conflict\", \"unprocessable_entity\", \"too_many_requests\", \"internal_error\", \"service_unavailable\", \"RATE_LIMITED\", \"REGISTRATION_RATE_LIMITED\", \"EMAIL_ALREADY_REGISTERED\", \"COMPANY_DOMAIN_ALREADY_CLAIMED\", \"BENEFICIARY_NOT_COMPLIANT\", \"BENEFICIARY_REACKNOWLEDGMENT_REQUIRED\", \"BENEFICIARY_IDENTITY_INVALID\", \"BENEFICIARY_IDENTITY_INCOMPLETE\", \"BENEFICIARY_ARCHIVED\", \"BENEFICIARY_NOT_ERASABLE\", \"BENEFICIARY_EMAIL_ALREADY_EXISTS\", \"EXTERNAL_REF_ALREADY_EXISTS\", \"BANK_ACCOUNT_MISSING_ROUTING\", \"BANK_ACCOUNT_VALIDATION_FAILED\", \"BANK_ACCOUNT_NOT_PENDING\", \"PAYOUT_BLOCKED_BY_POLICY\", \"STEP_UP_REQUIRED\", \"BANK_ACCOUNT_CHANGED\", \"BANK_ACCOUNT_NOT_FOUND\", \"BANK_ACCOUNT_BENEFICIARY_MISMATCH\", \"BANK_ACCOUNT_NOT_VERIFIED\", \"BANK_ACCOUNT_NOT_VALIDATED\", \"BANK_ACCOUNT_RAIL_REJECTED\", \"PAYOUT_ROUTE_MISSING\", \"PAYEE_ADDRESS_INCOMPLETE\", \"PAYOUT_ROUTE_UNFIT\", \"NO_PAYOUT_USABLE_BANK_ACCOUNT\", \"BANK_ACCOUNT_AMBIGUOUS\", \"BANK_ACCOUNT_NOT_PAYOUT_USABLE\", \"BENEFICIARY_ENROLLMENT_FAILED\", \"NAME_CHECK_NOT_PASSED\", \"PAYOUT_NOT_FOUND\", \"INVALID_STATE_TRANSITION\", \"REJECTION_REASON_REQUIRED\", \"BENEFICIARY_MISMATCH\", \"INVALID_PURPOSE_OF_PAYMENT\", \"IDEMPOTENCY_KEY_REUSED\", \"PREDECESSOR_NOT_REPLACEABLE\", \"PREDECESSOR_ALREADY_REPLACED\", \"PAYOUT_CONCURRENCY_CONFLICT\", \"SANDBOX_WALLET_UNFUNDED\", \"FUNDING_INSUFFICIENT\", \"EXPORT_EXPIRED\", \"EXPORT_FAILED\", \"FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED\", \"FUNDING_CURRENCY_MISMATCH\", \"SANDBOX_ONLY\", \"INVALID_MONEY\"]"
"""Stable; each has a section in the error reference. More may be added."""

CreatePayoutAnswer: TypeAlias = "PayoutEnvelope | PayoutDryRun"
