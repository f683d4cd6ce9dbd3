// The signatures of the operations. Made by scripts/sdk.ts: npm run generate.

import type { After, ById, Ref, Standing } from './contracts.ts'
import type { List } from './pages.ts'
import type { CallOptions } from './transport.ts'
import type {
  AcceptRequest,
  Account,
  AccountPatch,
  Acknowledgement,
  Activity,
  ApiRequest,
  ApprovalResult,
  ApprovalsListParams,
  ApproveAllRequest,
  ApproveRequest,
  AuditEntry,
  AuditListParams,
  Authenticator,
  CancelRequest,
  Channel,
  ChannelOffer,
  ChannelPolicy,
  ChannelsPolicyParams,
  CloseRequest,
  CodeRequest,
  Command,
  CommandRequest,
  CommandRow,
  CommandRowsRequest,
  CommandSum,
  CommandsListParams,
  CommandsRowsParams,
  CompareRecoveryRequest,
  ConfirmRequest,
  ContractDelivery,
  ContractEntry,
  Currency,
  DataSet,
  DeletedWebhookEndpoint,
  Delivery,
  DeliveryAttempt,
  DeliveryTest,
  DeliveryTestRequest,
  Destination,
  DestinationPatch,
  DestinationRequest,
  Duplicate,
  Enrolment,
  EventDelivery,
  EventsListParams,
  Freeze,
  FreezeRequest,
  GatewayEvent,
  Health,
  Invitation,
  InviteRequest,
  IssueRequest,
  Key,
  KeyPatch,
  KeyRequest,
  KeyRoll,
  KeysListParams,
  LedgerEntry,
  ListEntriesRequest,
  ListEntry,
  MadePaymentAttempt,
  MadeTransferAttempt,
  Member,
  MemberPatch,
  MemberScope,
  MembersListParams,
  Nothing,
  OidcRequest,
  OpenInvitation,
  OperationsEntriesParams,
  OperationsTransfersParams,
  Overview,
  OverviewGetParams,
  Passkey,
  PasskeyRequest,
  PasswordRequest,
  PayRequest,
  PayerProfileRequest,
  Payment,
  PaymentExplanation,
  PaymentMethod,
  PaymentRequest,
  PaymentsActivitiesParams,
  PaymentsAttemptsParams,
  PaymentsDeliveriesParams,
  PaymentsEntriesParams,
  PaymentsListParams,
  PayoutSwitch,
  Payouts,
  PoliciesEvaluation,
  PoliciesGetParams,
  PoliciesListParams,
  PoliciesVersionsParams,
  Policy,
  PolicyEvaluation,
  PolicyPatch,
  PolicyPlace,
  PolicyPreview,
  PolicyRehearsal,
  PolicyRehearsalRequest,
  PolicyRequest,
  PolicyVerdict,
  Profile,
  ProfilePatch,
  ProfileRequest,
  ProfilesGetParams,
  ProfilesListParams,
  ProfilesVersionsParams,
  Proof,
  ProofRequest,
  ProofsListParams,
  PublishedList,
  QueuedApproval,
  Receipt,
  Reconciliation,
  ReconciliationRequest,
  ReconciliationsListParams,
  Recovery,
  RefundRequest,
  RejectRequest,
  Replay,
  ReplayRequest,
  RequestsListParams,
  Resolution,
  ResolutionRejection,
  ResolutionRequest,
  ResolutionsListParams,
  Resource,
  ResumeRequest,
  RetryRequest,
  ReturnRequest,
  RollSecretRequest,
  Sandbox,
  SandboxClock,
  SandboxClockMove,
  SandboxOrder,
  SandboxOrdersParams,
  SandboxScenario,
  Schedule,
  SchedulePatch,
  ScheduleRequest,
  ScheduleRuleRequest,
  ScheduleRun,
  SchedulesListParams,
  SchedulesRunsParams,
  SearchFindParams,
  SearchHit,
  Session,
  SignInRequest,
  TakeEventRequest,
  Token,
  TokenRequest,
  TopUpRequest,
  Transfer,
  TransferDraft,
  TransferExplanation,
  TransferPatch,
  TransfersActivitiesParams,
  TransfersAttemptsParams,
  TransfersDeliveriesParams,
  TransfersEntriesParams,
  TransfersListParams,
  TrialBalanceLine,
  TrialBalanceSum,
  UnallocatedEvent,
  UnallocatedEventsListParams,
  UsageDay,
  UsageGetParams,
  VerdictRequest,
  Verification,
  VerificationCodeRequest,
  VerificationRequest,
  VerificationsListParams,
  Verifier,
  VerifierEntriesListParams,
  VerifierPatch,
  VerifierRequest,
  VerifierTrial,
  VerifierTrialRequest,
  WaitingTransfer,
  Wallet,
  WalletEntry,
  WalletPatch,
  WalletRequest,
  WalletStatement,
  WalletsEntriesParams,
  WalletsGetParams,
  WalletsListParams,
  WalletsStatementParams,
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookEndpointRequest,
  WebhookEndpointsDeliveriesParams,
} from './types.gen.ts'

export type Calls = {
  readonly transfers: {
    /** Generate a transfer contract. */
    readonly create: (body: TransferDraft, options?: CallOptions) => Promise<Transfer<'draft'>>
    /** List transfer contracts, newest first. */
    readonly list: (query?: TransfersListParams, options?: CallOptions) => List<Transfer>
    /** Update a transfer contract. */
    readonly update: <C extends Standing<'transfers.update', 'transfer'> | ById>(contract: C, body?: TransferPatch, options?: CallOptions) => Promise<After<'transfers.update', 'transfer', C>>
    /** Cancel a transfer contract. */
    readonly cancel: <C extends Standing<'transfers.cancel', 'transfer'> | ById>(contract: C, body?: CancelRequest, options?: CallOptions) => Promise<{
      contract: After<'transfers.cancel', 'transfer', C>
      refund: {
        amount: number
        refunded_at: string
      } | null
      cancellation: {
        status: "pending" | "refused" | "done"
        reason: string | null
        requested_at: string
      } | null
    }>
    /** Get a transfer contract. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Transfer>
    /** Issue a transfer contract. */
    readonly issue: <C extends Standing<'transfers.issue', 'transfer'> | ById>(contract: C, body?: IssueRequest, options?: CallOptions) => Promise<After<'transfers.issue', 'transfer', C>>
    /** Pay a transfer contract. */
    readonly pay: <C extends Standing<'transfers.pay', 'transfer'> | ById>(contract: C, body?: PayRequest, options?: CallOptions) => Promise<After<'transfers.pay', 'transfer', C>>
    /** Try a transfer again that failed for good. */
    readonly retry: <C extends Standing<'transfers.retry', 'transfer'> | ById>(contract: C, body?: RetryRequest, options?: CallOptions) => Promise<After<'transfers.retry', 'transfer', C>>
    /** List the activities of a transfer contract, oldest first. */
    readonly activities: (id: Ref, query?: TransfersActivitiesParams, options?: CallOptions) => List<Activity>
    /** List the attempts at a transfer contract, first to last, with what the channel said where one did not succeed. */
    readonly attempts: (id: Ref, query?: TransfersAttemptsParams, options?: CallOptions) => List<MadeTransferAttempt>
    /** List the ledger rows of a transfer contract, oldest first. */
    readonly entries: (id: Ref, query?: TransfersEntriesParams, options?: CallOptions) => List<ContractEntry>
    /** Explain where a transfer’s money is, who must act and by when, and what a cancel would do now. */
    readonly explain: (id: Ref, options?: CallOptions) => Promise<TransferExplanation>
    /** Get a signed receipt of a transfer, to be checked by anybody without the gateway. */
    readonly receipt: (id: Ref, options?: CallOptions) => Promise<Receipt>
    /** List the webhook deliveries of a transfer contract’s events, newest event first. */
    readonly deliveries: (id: Ref, query?: TransfersDeliveriesParams, options?: CallOptions) => List<ContractDelivery>
  }
  readonly payments: {
    /** Cancel a payment contract. */
    readonly cancel: <C extends Standing<'payments.cancel', 'payment'> | ById>(contract: C, body?: CancelRequest, options?: CallOptions) => Promise<{
      contract: After<'payments.cancel', 'payment', C>
      refund: {
        amount: number
        refunded_at: string
      } | null
      cancellation: {
        status: "pending" | "refused" | "done"
        reason: string | null
        requested_at: string
      } | null
    }>
    /** Get a payment contract. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Payment>
    /** List the activities of a payment contract, oldest first. */
    readonly activities: (id: Ref, query?: PaymentsActivitiesParams, options?: CallOptions) => List<Activity>
    /** List the attempts at a payment contract, first to last, with what the channel said where one did not succeed. */
    readonly attempts: (id: Ref, query?: PaymentsAttemptsParams, options?: CallOptions) => List<MadePaymentAttempt>
    /** List the ledger rows of a payment contract, oldest first. */
    readonly entries: (id: Ref, query?: PaymentsEntriesParams, options?: CallOptions) => List<ContractEntry>
    /** Explain where a payment’s money is, who must act and by when, and what a cancel would do now. */
    readonly explain: (id: Ref, options?: CallOptions) => Promise<PaymentExplanation>
    /** Get a signed receipt of a payment, to be checked by anybody without the gateway. */
    readonly receipt: (id: Ref, options?: CallOptions) => Promise<Receipt>
    /** List the webhook deliveries of a payment contract’s events, newest event first. */
    readonly deliveries: (id: Ref, query?: PaymentsDeliveriesParams, options?: CallOptions) => List<ContractDelivery>
    /** Generate a payment contract. */
    readonly create: (body: PaymentRequest, options?: CallOptions) => Promise<Payment<'issued'>>
    /** List payment contracts, newest first. */
    readonly list: (query?: PaymentsListParams, options?: CallOptions) => List<Payment>
    /** Pay a payment contract. */
    readonly pay: <C extends Standing<'payments.pay', 'payment'> | ById>(contract: C, body?: PaymentMethod, options?: CallOptions) => Promise<After<'payments.pay', 'payment', C>>
    /** Refund a paid payment contract, in whole or in part. */
    readonly refund: <C extends Standing<'payments.refund', 'payment'> | ById>(contract: C, body?: RefundRequest, options?: CallOptions) => Promise<After<'payments.refund', 'payment', C>>
    /** Return the oldest amount in suspense. */
    readonly return: (id: Ref, body?: ReturnRequest, options?: CallOptions) => Promise<Payment>
    /** Save the payer of a payment contract as a profile. */
    readonly savePayer: <C extends Standing<'payments.savePayer', 'payment'> | ById>(contract: C, body?: PayerProfileRequest, options?: CallOptions) => Promise<{
      contract: After<'payments.savePayer', 'payment', C>
      profile: Profile
      /** Other profiles of likely the same person. They are named, and nothing is refused. */
      duplicates: readonly (Duplicate)[]
    }>
  }
  readonly approvals: {
    /** Approve a transfer that waits for it. */
    readonly approve: (id: Ref, body: ApproveRequest, options?: CallOptions) => Promise<Transfer>
    /** Reject a transfer that waits for approval: it is cancelled. */
    readonly reject: (id: Ref, body: RejectRequest, options?: CallOptions) => Promise<Transfer>
    /** List transfers of which approvals were asked, newest first. */
    readonly list: (query?: ApprovalsListParams, options?: CallOptions) => List<QueuedApproval>
    /** Get the approvals of a transfer. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<QueuedApproval>
    /** Approve several transfers at once, each by itself. */
    readonly approveAll: (body: ApproveAllRequest, options?: CallOptions) => Promise<{
      /** Nothing was approved: this is what would have become of it. */
      dry_run: boolean
      /** How many of them. */
      approved: number
      /** Of those approved, by currency. */
      totals: readonly ({
        currency: Currency
        count: number
        /** What leaves the wallets in all, fees included. */
        amount: number
        fees: number
      })[]
      /** In the order in which they were sent. */
      results: readonly (ApprovalResult)[]
    }>
  }
  readonly events: {
    /** The feed of events, oldest first, without gaps. */
    readonly list: (query?: EventsListParams, options?: CallOptions) => List<GatewayEvent>
    /** Get an event, with its newest deliveries to webhook endpoints. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<{
      event: GatewayEvent
      deliveries: readonly (EventDelivery)[]
    }>
  }
  readonly requests: {
    /** List the latest requests of the account, newest first. */
    readonly list: (query?: RequestsListParams, options?: CallOptions) => List<ApiRequest>
  }
  readonly schedules: {
    /** Make a schedule. */
    readonly create: (body: ScheduleRequest, options?: CallOptions) => Promise<Schedule>
    /** List schedules, newest first. */
    readonly list: (query?: SchedulesListParams, options?: CallOptions) => List<Schedule>
    /** See when a rule would run; nothing is made. */
    readonly next: (body: ScheduleRuleRequest, options?: CallOptions) => Promise<{
      /** The rule in a sentence. */
      words: string
      /** The next five; none where the rule never runs again. */
      next_runs: readonly ({
        at: string
        /** As the clocks of the rule’s zone show it. */
        local: string
      })[]
      /** Later bank holidays are not known yet: only weekends and your own. */
      holidays_known_until: string | null
    }>
    /** Get a schedule, with its next and its latest runs. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Schedule>
    /** Update a schedule. */
    readonly update: (id: Ref, body?: SchedulePatch, options?: CallOptions) => Promise<Schedule>
    /** End a schedule for good. */
    readonly end: (id: Ref, options?: CallOptions) => Promise<Schedule>
    /** List the runs of a schedule, newest first. */
    readonly runs: (id: Ref, query?: SchedulesRunsParams, options?: CallOptions) => List<ScheduleRun>
    /** Pause a schedule. */
    readonly pause: (id: Ref, options?: CallOptions) => Promise<Schedule>
    /** Resume a paused schedule: runs left out meanwhile are not made up for. */
    readonly resume: (id: Ref, options?: CallOptions) => Promise<Schedule>
  }
  readonly profiles: {
    /** Make a profile. */
    readonly create: (body?: ProfileRequest, options?: CallOptions) => Promise<{
      profile: Profile
      /** Other profiles of likely the same person. They are named, and nothing is refused. */
      duplicates: readonly (Duplicate)[]
    }>
    /** List profiles, newest first; your own is not among them. */
    readonly list: (query?: ProfilesListParams, options?: CallOptions) => List<Profile>
    /** Get a profile, as it stands or as it stood. */
    readonly get: (id: Ref, query?: ProfilesGetParams, options?: CallOptions) => Promise<Profile>
    /** Update a profile. */
    readonly update: (id: Ref, body?: ProfilePatch, options?: CallOptions) => Promise<{
      profile: Profile
      /** Other profiles of likely the same person. They are named, and nothing is refused. */
      duplicates: readonly (Duplicate)[]
    }>
    /** Archive a profile: drafts cannot use it any more. */
    readonly archive: (id: Ref, options?: CallOptions) => Promise<Profile>
    /** List the versions of a profile, newest first. */
    readonly versions: (id: Ref, query?: ProfilesVersionsParams, options?: CallOptions) => List<Profile>
    /** Restore an archived profile. */
    readonly restore: (id: Ref, options?: CallOptions) => Promise<Profile>
  }
  readonly policies: {
    /** Make a policy, which holds from the next payment on. */
    readonly create: (body: PolicyRequest, options?: CallOptions) => Promise<Policy>
    /** List policies, newest first. */
    readonly list: (query?: PoliciesListParams, options?: CallOptions) => List<Policy>
    /** Get a policy, as it stands or as it stood. */
    readonly get: (id: Ref, query?: PoliciesGetParams, options?: CallOptions) => Promise<Policy>
    /** Change a policy; each change is a version. */
    readonly update: (id: Ref, body?: PolicyPatch, options?: CallOptions) => Promise<Policy>
    /** Archive a policy for good. */
    readonly archive: (id: Ref, options?: CallOptions) => Promise<Policy>
    /** List the versions of a policy, newest first. */
    readonly versions: (id: Ref, query?: PoliciesVersionsParams, options?: CallOptions) => List<Policy>
    /** Pause a policy: it is kept, and not asked. */
    readonly pause: (id: Ref, options?: CallOptions) => Promise<Policy>
    /** Resume a paused policy. */
    readonly resume: (id: Ref, options?: CallOptions) => Promise<Policy>
    /** See what a policy would say, before it is saved. */
    readonly preview: (body: PolicyRequest, options?: CallOptions) => Promise<PolicyPreview>
    /** Put a policy at its place in the order in which they are asked. */
    readonly place: (id: Ref, body?: PolicyPlace, options?: CallOptions) => Promise<readonly (Policy)[]>
    /** Try the active policies, or one that is not saved, on a transfer. */
    readonly evaluateAll: (body?: PoliciesEvaluation, options?: CallOptions) => Promise<PolicyVerdict>
    /** Try a policy on a transfer, as if it were active. */
    readonly evaluate: (id: Ref, body?: PolicyEvaluation, options?: CallOptions) => Promise<PolicyVerdict>
    /** See what the payments of the last days would have met. */
    readonly rehearse: (body?: PolicyRehearsalRequest, options?: CallOptions) => Promise<PolicyRehearsal>
  }
  readonly commands: {
    /** Make a command; with rows it starts at once. */
    readonly create: (body: CommandRequest, options?: CallOptions) => Promise<Command>
    /** List commands, newest first. */
    readonly list: (query?: CommandsListParams, options?: CallOptions) => List<Command>
    /** Add rows to a command that is open; the same rows again change nothing. */
    readonly addRows: (id: Ref, body?: CommandRowsRequest, options?: CallOptions) => Promise<Command>
    /** List the rows of a command in their order, or all of them as CSV. */
    readonly rows: (id: Ref, query?: CommandsRowsParams, options?: CallOptions) => List<CommandRow>
    /** Get a command: how far it is, and what its rows come to. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<{
      command: Command
      sums: readonly (CommandSum)[]
    }>
    /** Start a command: no row is added any more. */
    readonly start: (id: Ref, options?: CallOptions) => Promise<Command>
    /** Pause a command; rows that were begun are finished. */
    readonly pause: (id: Ref, options?: CallOptions) => Promise<Command>
    /** Resume a command that was paused. */
    readonly resume: (id: Ref, options?: CallOptions) => Promise<Command>
    /** Cancel a command; contracts that it made stay. */
    readonly cancel: (id: Ref, options?: CallOptions) => Promise<Command>
  }
  readonly wallets: {
    /** List wallets, by currency, the default first. */
    readonly list: (query?: WalletsListParams, options?: CallOptions) => List<Wallet>
    /** Open a wallet. */
    readonly create: (body: WalletRequest, options?: CallOptions) => Promise<Wallet>
    /** Get a wallet, as it is or as it was at a moment. */
    readonly get: (id: Ref, query?: WalletsGetParams, options?: CallOptions) => Promise<{
      wallet: Wallet
      at: string | null
    }>
    /** Change a wallet, make it the default, close it or open it again. */
    readonly update: (id: Ref, body?: WalletPatch, options?: CallOptions) => Promise<Wallet>
    /** Add made-up money to a TEST wallet. */
    readonly topUp: (id: Ref, body: TopUpRequest, options?: CallOptions) => Promise<{
      wallet: Wallet
      reference: string
      /** False where the reference had been credited before. */
      credited: boolean
    }>
    /** List a wallet’s ledger entries, newest first. */
    readonly entries: (id: Ref, query?: WalletsEntriesParams, options?: CallOptions) => List<WalletEntry>
    /** A wallet’s statement of a period: JSON by pages, or whole as CSV or camt.053. */
    readonly statement: (id: Ref, query?: WalletsStatementParams, options?: CallOptions) => Promise<{
      statement: WalletStatement
      next: string | null
    }>
  }
  readonly destinations: {
    /** Save a way to pay a profile. */
    readonly create: (id: Ref, body: DestinationRequest, options?: CallOptions) => Promise<{
      profile: Profile
      destination: Destination
      /** Other profiles of likely the same person. They are named, and nothing is refused. */
      duplicates: readonly (Duplicate)[]
    }>
    /** Change a saved way to pay a profile. */
    readonly update: (id: Ref, destination: Ref, body?: DestinationPatch, options?: CallOptions) => Promise<{
      profile: Profile
      destination: Destination
      /** Other profiles of likely the same person. They are named, and nothing is refused. */
      duplicates: readonly (Duplicate)[]
    }>
    /** Archive a saved way to pay a profile. */
    readonly archive: (id: Ref, destination: Ref, options?: CallOptions) => Promise<{
      profile: Profile
      destination: Destination
      /** Other profiles of likely the same person. They are named, and nothing is refused. */
      duplicates: readonly (Duplicate)[]
    }>
  }
  readonly verifiers: {
    /** List verifiers: the built-in ones, your own, and the published lists that are loaded. */
    readonly list: (options?: CallOptions) => Promise<{
      verifiers: readonly (Verifier)[]
      /** Of the installation; every verification of the kind list asks them. */
      published_lists: readonly (PublishedList)[]
    }>
    /** Make a verifier: a list, a service of your own, or a hook that sends codes. */
    readonly create: (body: VerifierRequest, options?: CallOptions) => Promise<Verifier>
    /** Get a verifier of your own. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Verifier>
    /** Update a verifier of your own. */
    readonly update: (id: Ref, body?: VerifierPatch, options?: CallOptions) => Promise<Verifier>
    /** Archive a verifier: nothing is verified by it any more. */
    readonly archive: (id: Ref, options?: CallOptions) => Promise<Verifier>
    /** Roll the secret that signs the calls to a verifier of your own. */
    readonly rollSecret: (id: Ref, body?: RollSecretRequest, options?: CallOptions) => Promise<Verifier>
    /** Send a sample to a verifier that is called, and show how its reply would be read. */
    readonly try: (id: Ref, body?: VerifierTrialRequest, options?: CallOptions) => Promise<VerifierTrial>
  }
  readonly verifierEntries: {
    /** List the entries of a list of your own, newest first. */
    readonly list: (id: Ref, query?: VerifierEntriesListParams, options?: CallOptions) => List<ListEntry>
    /** Add entries to a list of your own: all of them, or none. */
    readonly create: (id: Ref, body: ListEntriesRequest, options?: CallOptions) => Promise<{
      verifier: Verifier
      entries: readonly (ListEntry)[]
    }>
    /** Remove an entry from a list of your own. */
    readonly remove: (id: Ref, entry: Ref, options?: CallOptions) => Promise<Verifier>
  }
  readonly verifications: {
    /** Verify a recipient; it moves nothing. */
    readonly create: (body?: VerificationRequest, options?: CallOptions) => Promise<Verification>
    /** List verifications, newest first. */
    readonly list: (query?: VerificationsListParams, options?: CallOptions) => List<Verification>
    /** Get a verification. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Verification>
    /** Ask a verifier again that gave no answer, or have a code sent again. */
    readonly retry: (id: Ref, options?: CallOptions) => Promise<Verification>
    /** Give back a one-time code that was sent for a verification. */
    readonly answer: (id: Ref, body: VerificationCodeRequest, options?: CallOptions) => Promise<Verification>
    /** Pass a verification that waits for a person. */
    readonly pass: (id: Ref, body: VerdictRequest, options?: CallOptions) => Promise<Verification>
    /** Fail a verification that waits for a person. */
    readonly fail: (id: Ref, body: VerdictRequest, options?: CallOptions) => Promise<Verification>
  }
  readonly webhookEndpoints: {
    /** Make a webhook endpoint. */
    readonly create: (body: WebhookEndpointRequest, options?: CallOptions) => Promise<WebhookEndpoint>
    /** List webhook endpoints, oldest first. */
    readonly list: (options?: CallOptions) => List<WebhookEndpoint>
    /** Get a webhook endpoint. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Update a webhook endpoint. */
    readonly update: (id: Ref, body?: WebhookEndpointPatch, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Delete a webhook endpoint. */
    readonly delete: (id: Ref, options?: CallOptions) => Promise<DeletedWebhookEndpoint>
    /** Pause a webhook endpoint: events wait until it is resumed. */
    readonly pause: (id: Ref, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Resume a webhook endpoint that is paused, or enable one that is disabled. */
    readonly resume: (id: Ref, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Roll the signing secret of a webhook endpoint. */
    readonly rollSecret: (id: Ref, body?: RollSecretRequest, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Send a sample to a webhook endpoint, now and once. */
    readonly test: (id: Ref, body?: DeliveryTestRequest, options?: CallOptions) => Promise<DeliveryTest>
    /** Send events to a webhook endpoint again. */
    readonly replay: (id: Ref, body?: ReplayRequest, options?: CallOptions) => Promise<Replay>
    /** List the deliveries of a webhook endpoint, newest event first. */
    readonly deliveries: (id: Ref, query?: WebhookEndpointsDeliveriesParams, options?: CallOptions) => List<Delivery>
    /** List the tries of a delivery, first to last. */
    readonly attempts: (id: Ref, delivery: Ref, options?: CallOptions) => List<DeliveryAttempt>
  }
  readonly resources: {
    /** List the reference data. */
    readonly list: (options?: CallOptions) => List<{
      name: string
      description: string
      /** The path under which it is. */
      href: string
      /** Another one for other contents. Null: it depends on who asks. */
      version: string | null
    }>
    /** Get reference data by its name, or what an id names. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<DataSet | Resource>
  }
  readonly search: {
    /** Search contracts, profiles and events, newest first. */
    readonly find: (query: SearchFindParams, options?: CallOptions) => List<SearchHit>
  }
  readonly sandbox: {
    /** Get what the sandbox provider plays, and its time. */
    readonly get: (options?: CallOptions) => Promise<Sandbox>
    /** Script an outcome or an outage. */
    readonly script: (body?: SandboxScenario, options?: CallOptions) => Promise<{
      id: string
    }>
    /** End every scripted scenario. */
    readonly reset: (options?: CallOptions) => Promise<number>
    /** Move the clock of the sandbox provider forwards. */
    readonly moveClock: (body: SandboxClockMove, options?: CallOptions) => Promise<SandboxClock>
    /** List the provider’s books beside ours. */
    readonly orders: (query?: SandboxOrdersParams, options?: CallOptions) => List<SandboxOrder>
  }
  readonly channels: {
    /** List channels. */
    readonly list: (options?: CallOptions) => List<Channel>
    /** Get a channel. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Channel>
    /** Get a channel's policy. */
    readonly policy: (id: Ref, query?: ChannelsPolicyParams, options?: CallOptions) => Promise<ChannelPolicy>
    /** Price a draft on every channel. */
    readonly compare: (body: TransferDraft, options?: CallOptions) => Promise<{
      channels: readonly (ChannelOffer)[]
      next: string | null
    }>
  }
  readonly accounts: {
    /** Get the account behind the key. */
    readonly me: (options?: CallOptions) => Promise<Account>
    /** Update the account. */
    readonly update: (body?: AccountPatch, options?: CallOptions) => Promise<Account>
  }
  readonly overview: {
    /** Get what waits for a person, what is under way, and figures by day. */
    readonly get: (query?: OverviewGetParams, options?: CallOptions) => Promise<Overview>
  }
  readonly usage: {
    /** Get what the account used, by day. */
    readonly get: (query?: UsageGetParams, options?: CallOptions) => List<UsageDay>
  }
  readonly audit: {
    /** List who did what to the account, newest first. */
    readonly list: (query?: AuditListParams, options?: CallOptions) => List<AuditEntry>
  }
  readonly keys: {
    /** Make an API key. */
    readonly create: (body: KeyRequest, options?: CallOptions) => Promise<{
      key: Key
      /** The key itself: shown this once, and kept nowhere. */
      api_key: string
    }>
    /** List API keys, newest first, those that have ended included. */
    readonly list: (query?: KeysListParams, options?: CallOptions) => List<Key>
    /** Get the API key that asks, with what is left of its mandate. */
    readonly current: (options?: CallOptions) => Promise<Key>
    /** Get an API key, never its text. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Key>
    /** Update an API key. */
    readonly update: (id: Ref, body?: KeyPatch, options?: CallOptions) => Promise<Key>
    /** Revoke an API key: it ends at once. */
    readonly revoke: (id: Ref, options?: CallOptions) => Promise<Key>
    /** Roll an API key: a new one like it, and the old one ends. */
    readonly roll: (id: Ref, body?: KeyRoll, options?: CallOptions) => Promise<{
      key: Key
      /** The key itself: shown this once, and kept nowhere. */
      api_key: string
    }>
  }
  readonly members: {
    /** Invite a member, or one who has not joined again. */
    readonly invite: (body: InviteRequest, options?: CallOptions) => Promise<{
      member: Member
      invitation: Invitation
    }>
    /** List members, oldest first. */
    readonly list: (query?: MembersListParams, options?: CallOptions) => List<Member>
    /** Get a member. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Member>
    /** Change a member’s name or role; a new role ends the sessions. */
    readonly update: (id: Ref, body?: MemberPatch, options?: CallOptions) => Promise<Member>
    /** Remove a member; sessions end at once. */
    readonly remove: (id: Ref, options?: CallOptions) => Promise<Member>
    /** Take from a member all that signs them in, and invite them anew. */
    readonly reset: (id: Ref, options?: CallOptions) => Promise<{
      member: Member
      invitation: Invitation
    }>
  }
  readonly invitations: {
    /** Read an invitation. */
    readonly get: (token: Ref, options?: CallOptions) => Promise<OpenInvitation>
    /** Accept an invitation, or begin anew what was not ended. */
    readonly accept: (token: Ref, body: AcceptRequest, options?: CallOptions) => Promise<Enrolment>
    /** Enrol the second factor, and be signed in. */
    readonly confirm: (token: Ref, body?: ConfirmRequest, options?: CallOptions) => Promise<{
      member: Member
      session: Session
      /** Each is good once. Shown once: keep them. */
      recovery_codes: readonly (string)[]
    }>
  }
  readonly sessions: {
    /** Sign in. */
    readonly create: (body?: SignInRequest, options?: CallOptions) => Promise<{
      session: Session
      member: Member
    }>
    /** List your own sessions, newest first. */
    readonly list: (options?: CallOptions) => List<Session>
    /** Get what a browser needs to sign in by a passkey. */
    readonly passkeyOptions: (body?: Nothing, options?: CallOptions) => Promise<{
      challenge?: string | undefined
    } & Record<string, unknown>>
    /** See who is signed in. */
    readonly current: (options?: CallOptions) => Promise<{
      session: Session
      member: Member
      /** The account. */
      account_id: string
      /** What the role may do now; operations:… where the account operates the gateway. */
      scopes: readonly (MemberScope)[]
    }>
    /** Sign out. */
    readonly endCurrent: (options?: CallOptions) => Promise<Session>
    /** End one of your own sessions. */
    readonly end: (id: Ref, options?: CallOptions) => Promise<Session>
    /** Get where to send the browser to sign in elsewhere. */
    readonly oidc: (body?: OidcRequest, options?: CallOptions) => Promise<string>
  }
  readonly password: {
    /** Change your password; your other sessions end. */
    readonly update: (body: PasswordRequest, options?: CallOptions) => Promise<Member>
  }
  readonly authenticator: {
    /** Begin with a new authenticator. */
    readonly begin: (body: ProofRequest, options?: CallOptions) => Promise<Authenticator>
    /** Confirm the new authenticator by a code. */
    readonly confirm: (body: CodeRequest, options?: CallOptions) => Promise<Member>
    /** Do without an authenticator, with a passkey alone. */
    readonly remove: (body: ProofRequest, options?: CallOptions) => Promise<Member>
  }
  readonly recoveryCodes: {
    /** Get new recovery codes; the old ones end. */
    readonly create: (body: ProofRequest, options?: CallOptions) => Promise<readonly (string)[]>
  }
  readonly passkeys: {
    /** Get what a browser needs to make a passkey. */
    readonly options: (body: ProofRequest, options?: CallOptions) => Promise<{
      challenge?: string | undefined
    } & Record<string, unknown>>
    /** Add a passkey. */
    readonly create: (body: PasskeyRequest, options?: CallOptions) => Promise<Passkey>
    /** List your passkeys, oldest first. */
    readonly list: (options?: CallOptions) => List<Passkey>
    /** Remove a passkey. */
    readonly remove: (id: Ref, options?: CallOptions) => Promise<Passkey>
  }
  readonly operations: {
    /** List transfers of all accounts that wait for an operator, oldest first. */
    readonly transfers: (query?: OperationsTransfersParams, options?: CallOptions) => List<WaitingTransfer>
    /** Close a transfer that waits because a channel contradicted itself. */
    readonly closeTransfer: (id: Ref, body: CloseRequest, options?: CallOptions) => Promise<string>
    /** The trial balance: what each kind of ledger account gave and took. */
    readonly balances: (options?: CallOptions) => Promise<{
      balances: readonly (TrialBalanceLine)[]
      sums: readonly (TrialBalanceSum)[]
    }>
    /** List ledger rows of all accounts, newest first. */
    readonly entries: (query?: OperationsEntriesParams, options?: CallOptions) => List<LedgerEntry>
  }
  readonly resolutions: {
    /** List resolutions, newest first. */
    readonly list: (query?: ResolutionsListParams, options?: CallOptions) => List<Resolution>
    /** Say how a transfer ended whose outcome is open. */
    readonly create: (body: ResolutionRequest, options?: CallOptions) => Promise<Resolution>
    /** Get a resolution. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Resolution>
    /** Confirm what another person proposed: the transfer is resolved. */
    readonly approve: (id: Ref, body?: Nothing, options?: CallOptions) => Promise<Resolution>
    /** Reject what was proposed: nothing moves. */
    readonly reject: (id: Ref, body?: ResolutionRejection, options?: CallOptions) => Promise<Resolution>
  }
  readonly freezes: {
    /** List channels that pay nothing out until somebody has looked. */
    readonly list: (options?: CallOptions) => List<Freeze>
    /** Stop a channel’s payouts by hand. */
    readonly create: (body: FreezeRequest, options?: CallOptions) => Promise<Freeze>
    /** Let a frozen channel pay out again. */
    readonly acknowledge: (channel: Ref, body: Acknowledgement, options?: CallOptions) => Promise<string>
  }
  readonly payouts: {
    /** Whether payouts are paused, by whom and why, and what waits. */
    readonly get: (options?: CallOptions) => Promise<Payouts>
    /** Send nothing new. */
    readonly pause: (body: PayoutSwitch, options?: CallOptions) => Promise<Payouts>
    /** Let payouts go on. */
    readonly resume: (body: PayoutSwitch, options?: CallOptions) => Promise<Payouts>
  }
  readonly recovery: {
    /** Whether the gateway is in recovery, since when and why. */
    readonly get: (options?: CallOptions) => Promise<Recovery>
    /** Compare every channel with what its provider did since the books knew last. */
    readonly compare: (body?: CompareRecoveryRequest, options?: CallOptions) => Promise<Recovery>
    /** Say that the books fit the rails again. */
    readonly resume: (body: ResumeRequest, options?: CallOptions) => Promise<Recovery>
  }
  readonly unallocatedEvents: {
    /** List payment events of all accounts that no contract fits, newest first. */
    readonly list: (query?: UnallocatedEventsListParams, options?: CallOptions) => List<UnallocatedEvent>
    /** Take a payment event in again, as it came or with what is known better. */
    readonly take: (id: Ref, body: TakeEventRequest, options?: CallOptions) => Promise<{
      id: string
      /** applied, duplicate, ignored, unmatched or needs_review. */
      reception: string
      contract_id: string | null
    }>
  }
  readonly reconciliations: {
    /** List comparisons of providers’ statements with the books, newest first. */
    readonly list: (query?: ReconciliationsListParams, options?: CallOptions) => List<Reconciliation>
    /** Compare a provider’s statement of a day with the books, line by line. */
    readonly create: (body: ReconciliationRequest, options?: CallOptions) => Promise<Reconciliation>
    /** Get a comparison, line by line. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Reconciliation>
  }
  readonly proofs: {
    /** List proofs of the books, newest first. */
    readonly list: (query?: ProofsListParams, options?: CallOptions) => List<Proof>
    /** Prove the books now. */
    readonly create: (body?: Nothing, options?: CallOptions) => Promise<Proof>
    /** Get a proof, and how far it has come. */
    readonly get: (id: Ref, options?: CallOptions) => Promise<Proof>
  }
  readonly health: {
    /** Alive?. */
    readonly live: (options?: CallOptions) => Promise<Health>
    /** Ready for work?. */
    readonly ready: (options?: CallOptions) => Promise<Health>
  }
  readonly tokens: {
    /** Get an access token. */
    readonly create: (body: TokenRequest, options?: CallOptions) => Promise<Token>
  }
}
