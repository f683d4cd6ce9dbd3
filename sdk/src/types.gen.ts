// What goes to the gateway and what comes back, as types. Made by scripts/sdk.ts: npm run generate.

/** An amount in major units: '1500.50', or 1500.5. */
export type Decimal = number | string

export type AcceptRequest = {
  name: string
  /** 12 to 200 characters. */
  password: string
}

export type Account = {
  /** The account. */
  id: string
  /** Its own profile: what contracts show as issued_by and paid_by. */
  profile_id: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** Whether its members may operate the gateway (docs/operating.md). Set by whoever runs it. */
  operates: boolean
  /** What payers see, unless the brand has a name. */
  name: string
  /** IANA, such as Asia/Manila: in which its days begin and end. */
  time_zone: string
  default_currency: Currency | null
  settings: {
    /** Whether a transfer that failed for good is refunded by itself; else it waits for a retry or a cancel. */
    refunds_at_once: boolean
    /** How often a transfer that failed is tried again on its own channel. */
    retries: number
    /** Channels that a transfer is tried on once its own has failed it for good, in this order. */
    fallback_channels: readonly (string)[]
    /** Whether late, partial and excess money goes back to payers by itself; else it waits in suspense. */
    returns_at_once: boolean
    /** Seconds in which a transfer contract that does not say it itself can be paid. Null: 14 days. */
    transfer_expires_in: number | null
    /** Seconds in which a payment contract that does not say it itself can be paid. Null: 30 minutes. */
    payment_expires_in: number | null
  }
  /** The origins whose pages may call with a token of the account, such as https://shop.example. */
  cors_origins: readonly (string)[]
  /** Where payers may be sent back to; none for any site over https. */
  sites: readonly (string)[]
  brand: Brand
  support: Support
  /** When it was made. */
  created_at: string
}

export type AccountEvent = {
  id: string
  type: "account.updated"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Account
  }
  /** The last word of the type. */
  event: string
  kind: "account"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type AccountPatch = {
  /** What payers see, unless the brand has a name. */
  name?: string | undefined
  /** IANA, such as Asia/Manila: in which its days begin and end. */
  time_zone?: string | undefined
  /** What people are shown first. */
  default_currency?: Currency | null | undefined
  settings?: {
    /** Whether a transfer that failed for good is refunded by itself; else it waits for a retry or a cancel. */
    refunds_at_once?: boolean | undefined
    /** How often a transfer that failed is tried again on its own channel. */
    retries?: number | undefined
    /** Channels that a transfer is tried on once its own has failed it for good, in this order. */
    fallback_channels?: readonly (string)[] | undefined
    /** Whether late, partial and excess money goes back to payers by itself; else it waits in suspense. */
    returns_at_once?: boolean | undefined
    /** Seconds in which a transfer contract that does not say it itself can be paid. Null: 14 days. */
    transfer_expires_in?: number | null | undefined
    /** Seconds in which a payment contract that does not say it itself can be paid. Null: 30 minutes. */
    payment_expires_in?: number | null | undefined
  } | undefined
  /** The origins whose pages may call with a token of the account, such as https://shop.example. */
  cors_origins?: readonly (string)[] | undefined
  /** Where payers may be sent back to; none for any site over https. */
  sites?: readonly (string)[] | undefined
  brand?: BrandRequest | null | undefined
  support?: SupportRequest | null | undefined
}

export type Acknowledgement = {
  /** What proves it, for whoever asks later. Kept with your name. */
  evidence: string
}

export type Activity = {
  /** The contract. */
  parent: string
  /** The line’s own id. */
  id: string
  type: string
  /** The profile that did it. */
  actor: string
  /** The member who acted, or the API key by which the actor did: gateway keys list shows it. */
  proxy: string | null
  summary: string
  published_at: string
  resource: {
    /** The contract. */
    id: string
    type: string
    data: Record<string, unknown>
  }
}

export type AddressAction = {
  type: "display_address"
  address: string
  /** Whole units of the asset, as decimal text. */
  amount: string
  asset: string
  network: string
  /** EIP-681. */
  uri: string
  /** The code as an image. */
  svg: string
  confirmations: number
  expires_at: string | null
}

export type ApiRequest = {
  /** The Request-Id of the reply. */
  id: string
  /** When it came. */
  at: string
  /** What was asked, as the API document names it. */
  operation: string
  method: string
  /** The path as the API document has it. */
  route: string
  /** The HTTP status of the reply. */
  status: number
  /** The code of the refusal; null for a success. */
  code: string | null
  /** From its head to the end of the reply, in milliseconds. */
  duration_ms: number
  /** The contract that it was about. */
  contract: string | null
  key: string | null
  /** The member whose session it was. */
  member: string | null
  /** False: TEST, no real money. */
  livemode: boolean
  /** The answer was kept under its Idempotency-Key. */
  replayed: boolean
  /** What it did to a contract; null where it changed none. */
  command: {
    verb: string
    /** Commands that were committed together with it. */
    batch_size: number
    /** How long it waited for its batch, in milliseconds. */
    queued_ms: number
    /** How long the batch took, in milliseconds. */
    batch_ms: number
  } | null
  /** The id of its trace, where the gateway exports traces. */
  trace: string | null
}

/** Approvals that policies, or the mandate of a key, asked for. Null where none were. */
export type Approval = {
  status: ApprovalStatus
  /** Each of these. One member may count for several. */
  required: readonly ({
    /** Null where a mandate asks for it. */
    policy: {
      /** The policy that asks for it. */
      id: string
      name: string
      /** In this version. */
      version: number
    } | null
    /** The mandate that asks for it, where the key may not pay as much alone; else null. */
    mandate: {
      /** The API key that the mandate was given to. */
      key: string
      /** What the key is called. */
      name: string
    } | null
    /** So many different members. */
    count: number
    role: AskedRole | null
    /** How many of them have approved it. */
    given: number
  })[]
  /** As they were given. Who is no member any more does not count when it is paid. */
  given: readonly ({
    member: {
      /** The member. */
      id: string
      name: string | null
    }
    role: Role
    at: string
  })[]
  /** SHA-256 of the frozen terms. An approval sends it back, so that it is of these terms. */
  terms_hash: string
  /** Who may approve it still, in words. */
  who: string
}

export type ApprovalResult = {
  /** The contract. */
  id: string
  outcome: "approved" | "refused"
  status: "draft" | "issued" | "paid" | "completed" | "cancelled" | "expired" | "returned" | null
  /** Whether it has every approval now. */
  complete: boolean
  error: {
    code: string
    message: string
  } | null
}

/** ended: it was paid, cancelled or has expired before it had them all. */
export type ApprovalStatus = "waiting" | "approved" | "rejected" | "ended"

export type ApproveAllRequest = {
  items: readonly ({
    /** The contract. */
    id: string
    /** approval.terms_hash of the contract as you looked at it. */
    terms_hash: string
  })[]
  /** true: says what would become of it, with the totals, and approves nothing. */
  dry_run?: boolean | null | undefined
}

export type ApproveRequest = {
  /** approval.terms_hash of the contract as you looked at it. */
  terms_hash: string
}

export type AskedRole = "owner" | "admin" | "operator" | "approver" | "developer" | "viewer"

export type AuditEntry = {
  /** The entry. */
  id: string
  at: string
  actor: {
    type: "key" | "member" | "operator" | "gateway"
    /** A key’s id, a member’s id, an operator’s name. */
    id: string
    /** Where the request came from; null for what came by no request. */
    address: string | null
    request_id: string | null
  }
  /** Noun and verb: key.created. */
  action: string
  object: {
    type: string
    id: string
  }
  /** The members that changed, as they were. Never secrets. */
  before: Record<string, unknown> | null
  /** The same as they are since. */
  after: Record<string, unknown> | null
}

export type Authenticator = {
  /** Base32: RFC 6238, SHA-1, 30 seconds, 6 digits. Shown once. */
  secret: string
  /** The same for a QR code: otpauth://totp/…. */
  url: string
}

export type BankingDays = {
  /** Where the day is no banking day: none leaves it, next and previous move it, modified_following moves it on within its month, else back. */
  adjust: "none" | "next" | "previous" | "modified_following"
  /** Whose bank holidays count: PH. Saturdays and Sundays always do. */
  country?: string | null | undefined
  /** Days of your own on which nothing is paid. */
  holidays?: readonly (string)[] | null | undefined
}

export type BankingDaysInput = {
  /** Where the day is no banking day: none leaves it, next and previous move it, modified_following moves it on within its month, else back. */
  adjust: "none" | "next" | "previous" | "modified_following"
  /** Whose bank holidays count: PH. Saturdays and Sundays always do. */
  country?: string | null | undefined
  /** Days of your own on which nothing is paid. */
  holidays?: readonly (string)[] | null | undefined
}

export type Brand = {
  name: string | null
  logo: string | null
  colour: string | null
  /** What the payment page makes of it: the button has the colour itself with black or white on it, links have it darkened or lightened until they can be read. Null where there is no colour. */
  shown: {
    /** What payers see. */
    name: string
    button: {
      background: string
      text: string
    } | null
    links: {
      light: string
      dark: string
    } | null
  }
}

export type BrandRequest = {
  /** What payers see in place of the account's name: 80 characters at most. */
  name?: string | null | undefined
  /** A data URI of a PNG, JPEG or WebP in base64: at most 32 KiB, 16 to 1024 pixels wide and high. Metadata is taken out. */
  logo?: string | null | undefined
  /** The accent of the payment page, #rrggbb. */
  colour?: string | null | undefined
}

export type CancelRequest = {
  /** Why. */
  reason?: string | null | undefined
}

export type CardMethod = {
  type: "card"
  card?: {
    /** A token of the card provider. Never a card number. */
    token?: string | null | undefined
    /** True in place of a token: next_action leads to a page of the card provider, where the payer types the card. */
    hosted?: boolean | null | undefined
    /** Where the payer goes after the page of the card provider or bank. */
    return_url?: string | null | undefined
  } | null | undefined
}

export type Channel = {
  id: string
  /** Whose contracts it takes: live ones, or TEST ones. Null: either, the wallet of this gateway. */
  livemode: boolean | null
  service: string
  name: string
  description: string
  version: number
  policy: {
    uri: string
  }
  fees: {
    covered: boolean
  }
  /** How long after pay a cancel surely refunds. */
  undo_seconds: number
  currencies: readonly ({
    currency: Currency
    min_amount: number | null
    max_amount: number | null
    fees: {
      covered: boolean
      breakdown: FeeBreakdown
    }
  })[]
  /** JSON Schema of a draft on this channel. A draft as it is kept (currency in capitals, mobile as +63…) fits exactly when its preview is valid. */
  required: Record<string, unknown>
  /** How it brings money in; null where it only pays out. */
  collect: {
    /** The type of payment that it brings in. */
    type: string
    /** From paid to available. */
    settle_after_seconds: number
    /** Whether payers can type their card on a page of the rail: {"card": {"hosted": true}}. */
    hosted: boolean
    network: string | null
    asset: string | null
    currencies: readonly ({
      currency: Currency
      min_amount: number | null
      max_amount: number | null
      fees: {
        covered: boolean
        breakdown: FeeBreakdown
      }
    })[]
  } | null
}

export type ChannelCall = {
  /** When its report was recorded. */
  at: string
  /** What the gateway made of it: failed, unknown, not_sent, not_found, returned. */
  outcome: string
  /** The newest 4. */
  exchanges: readonly (ChannelExchange)[]
}

/** One request to a channel. Its headers are never kept. */
export type ChannelExchange = {
  /** When the request was sent. */
  at: string
  method: string
  /** Without the host of the channel. */
  path: string
  /** Its first 4000 characters, without secrets, and with account numbers as their last four digits. */
  request_body: string | null
  /** Null where no whole reply came. */
  status_code: number | null
  /** Its first 4000 characters, without secrets, and with account numbers as their last four digits. */
  response_body: string | null
  /** Why no whole reply came. */
  fault: string | null
  duration_ms: number
}

export type ChannelOffer = {
  channel: ContractChannel
  preview: Preview
  /** How long after pay a cancel surely refunds. */
  undo_seconds: number
  /** Whether the draft could be issued on this channel as it is. */
  valid: boolean
  /** When it would leave, paid now. */
  dispatch_at: string
  /** By when it would arrive, paid now; null where nobody can say. */
  arrives_at: string | null
  cut_off: string | null
  /** Of the amount, in the currency of the draft; null for none. */
  limits: {
    min_amount: number | null
    max_amount: number | null
  }
  /** Whether it can be asked back once the channel has accepted it. */
  can_recall: boolean
  /** Whether it may come back after it arrived, to be refunded. */
  can_bounce: boolean
  /** JSON Schema of a draft on this channel. A draft as it is kept (currency in capitals, mobile as +63…) fits exactly when its preview is valid. */
  required: Record<string, unknown>
  /** Why not: each with the parameter that is in the way and the mend. */
  missing: readonly ({
    code: string
    param: string | null
    message: string
  })[]
}

export type ChannelPolicy = {
  id: string
  version: number
  name: string
  currencies: readonly ({
    currency: Currency
    min: number | null
    max: number | null
    fees: {
      covered: boolean
      breakdown: FeeBreakdown
    }
  })[]
  windows: {
    /** Of the times of day below: +08:00. */
    utc_offset: string
    cut_offs: readonly (string)[]
    weekdays: readonly (number)[]
    holidays: readonly (string)[]
  } | null
  arrival: {
    /** From when it leaves until it arrives, at most. */
    within_seconds: number
  } | null
  /** How long after pay a cancel surely refunds. */
  undo_seconds: number
  /** Whether a transfer that was accepted can be asked back. */
  recall: boolean
  /** Whether a transfer that arrived may come back by itself, to be refunded. */
  bounces: boolean
  /** JSON Schema of a draft on this channel. A draft as it is kept (currency in capitals, mobile as +63…) fits exactly when its preview is valid. */
  required: Record<string, unknown>
  /** How it brings money in; null where it only pays out. */
  collect: {
    /** The type of payment that it brings in. */
    type: string
    /** From paid to available. */
    settle_after_seconds: number
    /** Whether payers can type their card on a page of the rail: {"card": {"hosted": true}}. */
    hosted: boolean
    network: string | null
    asset: string | null
    currencies: readonly ({
      currency: Currency
      min_amount: number | null
      max_amount: number | null
      fees: {
        covered: boolean
        breakdown: FeeBreakdown
      }
    })[]
  } | null
  versions: readonly ({
    version: number
    /** Since when it was offered. */
    since: string
  })[]
}

export type CloseRequest = {
  /** What proves it, for whoever asks later. Kept with your name. */
  evidence: string
}

export type CodeRequest = {
  /** Six digits of the authenticator, or a recovery code. */
  code: string
}

/** Of otp. */
export type CodeTaker = "recipient" | "payer"

export type Command = {
  /** Command identifier. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  type: CommandType
  status: CommandStatus
  dry_run: boolean
  /** Cancelled, while the rows that were begun are still being finished. */
  cancelling: boolean
  description: string | null
  reference: string | null
  progress: CommandProgress
  /** Its rows are still being brought in, of its filter or its dry run. None is begun before all are there. */
  gathering: boolean
  stopped: CommandStop | null
  what: "contracts" | "entries" | "events" | null
  format: "csv" | "ndjson" | null
  filter: Record<string, unknown> | null
  /** Which hears the events again. */
  webhook_endpoint: string | null
  /** The dry run whose rows these are. */
  dry_run_id: string | null
  file: CommandFile | null
  schedule?: CommandSchedule | null | undefined
  created_by: {
    /** The key; where a member gave it, or a schedule runs as one, that member. */
    key: string
    /** The member who gave it, or as whom a schedule runs. */
    member: string | null
  }
  created_at: string
  started_at: string | null
  ended_at: string | null
}

export type CommandEvent = {
  id: string
  type: "command.paused" | "command.completed" | "command.cancelled"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Command
  }
  /** The last word of the type. */
  event: string
  kind: "command"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type CommandFile = {
  /** ready: GET /commands/{id}/file. */
  status: "writing" | "ready" | "expired"
  name: string
  content_type: string
  /** So far, or in all. */
  bytes: number
  /** So far, or in all, without the header. */
  rows: number
  /** Of the whole file, in hexadecimal digits. */
  sha256: string | null
  /** It is kept till then. */
  expires_at: string | null
}

export type CommandProgress = {
  /** Rows. */
  total: number
  /** Rows that came to what was asked. */
  done: number
  /** Rows that were refused: see their errors. */
  failed: number
  /** Rows whose contract needs something of somebody else first. */
  waiting: number
  /** Rows that were not begun when the command was cancelled. */
  skipped: number
  /** Rows that are not begun, or not recorded, yet. */
  left: number
}

export type CommandRequest = {
  /** What is done with each row. */
  type: CommandType
  /** Prices and checks every row, and writes no contract. */
  dry_run?: boolean | null | undefined
  /** Each as the request for one would be; where contracts are there already, {"id": …}. */
  rows?: readonly (Record<string, unknown>)[] | null | undefined
  /** The same as a CSV file: its header names what the API names, such as recipient.name. */
  csv?: string | null | undefined
  /** In place of rows: the parameters of the list concerned, such as {"status": "issued", "currency": "PHP"}. What fits when the command is made is its rows; {} is everything. */
  filter?: Record<string, unknown> | null | undefined
  /** In place of rows: a dry run of the same type that has ended. Its very rows are done. */
  dry_run_id?: string | null | undefined
  /** With dry_run_id: does its rows once more, though they were started before. */
  again?: boolean | null | undefined
  /** With export: what is written. */
  what?: "contracts" | "entries" | "events" | null | undefined
  /** With export: csv by default. */
  format?: "csv" | "ndjson" | null | undefined
  /** With events.replay: the endpoint that hears the events again. */
  webhook_endpoint?: string | null | undefined
  /** What the command is for. */
  description?: string | null | undefined
  /** Your own reference. */
  reference?: string | null | undefined
}

export type CommandRow = {
  /** From 0. */
  index: number
  /** Where it begins in its CSV file. */
  line: number | null
  status: CommandRowStatus
  /** The contract that it made, or is about. */
  contract_id: string | null
  /** The last step that was tried: create, issue, pay, cancel, replay. */
  step: string | null
  error: CommandRowError | null
  preview: CommandRowPreview | null
  checks: CommandRowChecks | null
  /** The row as it was sent. */
  sent: Record<string, unknown>
  updated_at: string | null
}

/** What a dry run finds beside the price; null elsewhere. */
export type CommandRowChecks = {
  /** The policy that refuses it, with its words. */
  denied: {
    /** Of the policy. */
    policy: string
    name: string
    words: string
  } | null
  /** Each is asked for before it is paid. */
  approvals: readonly ({
    /** The policy that asks; null where a mandate does. */
    policy: string | null
    /** The API key whose mandate asks; null where a policy does. */
    mandate: string | null
    /** Of the policy, or of the key. */
    name: string
    count: number
    role: string | null
  })[]
  verifications: readonly ({
    /** Of the policy. */
    policy: string
    name: string
    kind: string
  })[]
  /** So long it waits before it is paid. */
  delay_seconds: number
  /** The index of a row before it that pays the same amount to the same recipient. */
  same_as_row: number | null
  /** Where that row begins in its CSV file. */
  same_as_line: number | null
  /** A contract of the last 30 days that paid the same amount to the same recipient. */
  paid_before: {
    /** The contract. */
    contract_id: string
    /** When it was paid. */
    at: string
  } | null
}

export type CommandRowError = {
  code: string
  param: string | null
  message: string
}

export type CommandRowPreview = {
  currency: Currency
  amount: number
  fee: number
  debit: number
  /** What arrives. */
  receive: number
}

export type CommandRowStatus = "queued" | "waiting" | "done" | "failed" | "skipped"

export type CommandRowsRequest = {
  /** The index of the first of these rows; 0 by default. */
  first?: number | null | undefined
  /** Where csv is a part of a file: how many lines of it stand between the header and these rows. */
  lines_before?: number | null | undefined
  /** Each as the request for one would be; where contracts are there already, {"id": …}. */
  rows?: readonly (Record<string, unknown>)[] | null | undefined
  /** The same as a CSV file: its header names what the API names, such as recipient.name. */
  csv?: string | null | undefined
}

/** The run that this is; null where somebody gave the command, absent in events of earlier releases. */
export type CommandSchedule = {
  /** The schedule. */
  id: string
  /** The number of its run, from 1. */
  run: number
}

/** open takes rows; queued waits to be worked on. */
export type CommandStatus = "open" | "queued" | "running" | "paused" | "completed" | "cancelled"

export type CommandStop = {
  /** A code of docs/errors.md, such as scope_missing. */
  code: string
  /** Why the gateway paused or ended it, and what to do. */
  message: string
}

export type CommandSum = {
  currency: Currency
  status: CommandRowStatus
  rows: number
  /** Of the contracts. */
  amount: number
  fee: number
  /** What they take from wallets, fees included. */
  debit: number
}

export type CommandType = "transfers.create" | "transfers.issue" | "transfers.pay" | "transfers.cancel" | "transfers.payout" | "payments.create" | "events.replay" | "export"

export type CompareRecoveryRequest = {
  /** From when, where that is earlier than the last change in the books: such as when the backup was made. */
  since?: string | null | undefined
}

export type ComparedChannel = {
  channel: string
  /** complete: all that the provider lists was compared. unlisted: it has no list. failed: it could not be read this time. */
  state: "complete" | "unlisted" | "failed"
  /** From when the provider’s list was read. */
  read_from: string
  /** Until when. */
  read_until: string
  /** Orders that the books had as the provider has them. */
  matched: number
  words: string
}

/** Either a code of the new authenticator, or a passkey. */
export type ConfirmRequest = {
  /** Six digits of the authenticator, or a recovery code. */
  code?: string | undefined
  /** What navigator.credentials.create() gives, as JSON (WebAuthn, PublicKeyCredential.toJSON). */
  passkey?: {
    id: string
    rawId: string
    type: "public-key"
    response: {
      clientDataJSON: string
    } & Record<string, unknown>
  } & Record<string, unknown> | undefined
  /** What the passkey is called here. */
  passkey_name?: string | undefined
}

export type Contract = Transfer | Payment

export type ContractChannel = {
  id: string
  service: string
  name: string
  description: string
  policy: {
    /** The version of the channel that prices the contract. */
    uri: string
  }
  /** Null for whoever holds a token. */
  fees: {
    covered: boolean
    breakdown: FeeBreakdown
  } | null
}

export type ContractDelivery = {
  /** Unique within its endpoint. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  event_id: string
  type: string
  /** The contract; null for an event that is no contract’s. */
  contract_id: string | null
  sequence: number
  status: "pending" | "delivered" | "dead" | "held"
  /** 0 for the first delivery of the event; above, the number of the replay. */
  replay: number
  tries: number
  next_attempt_at: string | null
  created_at: string
  updated_at: string
  /** The webhook endpoint that it goes to. */
  endpoint_id: string
  /** The address of the endpoint today. */
  endpoint_url: string
  /** Nothing is sent there any more. */
  endpoint_deleted: boolean
  /** What the receiver answered to the newest try; null where it did not answer. */
  last_status_code: number | null
  /** What was wrong with the newest try. */
  last_fault: string | null
}

export type ContractEntry = {
  /** Rows of one step of the contract share it. */
  transaction_id: string
  /** The wallet in whose books the row stands. */
  wallet_id: string
  /** The number of the row in its wallet. */
  sequence: number
  /** The ledger account that the amount leaves: available, held, in_transit, pending and suspense are the wallet’s; fee_revenue is the gateway’s; clearing:<channel> is where a channel’s money passes. */
  debit: string
  /** The ledger account that receives it. */
  credit: string
  amount: number
  currency: string
  /** What the wallet had available after the row; null without the scope wallets:read. */
  available_after: number | null
  /** The event of the step; null where it is none. */
  event: string | null
  /** The activity that the step ends with. */
  reason: string | null
  created_at: string
}

export type CryptoMethod = {
  type: "crypto"
  crypto: {
    /** Such as USDC. */
    asset: string
    /** CAIP-2, such as eip155:1. */
    network: string
    /** Where money that does not fit is sent back to. */
    refund_address?: string | null | undefined
  }
}

/** ISO 4217, in capitals; requests may have small letters. */
export type Currency = string

export type DataSet = {
  name: string
  description: string
  /** The path under which it is. */
  href: string
  /** Another one for other contents. Null: it depends on who asks. */
  version: string | null
  /** JSON Schema of an item. */
  schema: Record<string, unknown>
  items: readonly (Record<string, unknown>)[]
}

export type DatabasePlace = {
  /** The number of the PostgreSQL cluster. */
  system_id: string
  /** Its history: a standby that is promoted, or a restore to a moment, begins another one. */
  timeline: number
  /** How far its log had come, in bytes. */
  position: string
  /** How many marks the books had counted. */
  marks: string
}

export type DeletedWebhookEndpoint = {
  /** The endpoint. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  url: string
  description: string | null
  events: readonly (string)[]
  /** The types there are that it does not get. */
  events_not_sent: readonly (string)[]
  api_version: string
  in_flight_max: number
  metadata: Record<string, string>
  /** By its owner, by the receiver’s 410, or after days without a success. */
  disabled_because: "caller" | "gone" | "failing" | null
  /** Signs deliveries. Shown when it is made, then never again. */
  secret: string | null
  /** Those that sign at the moment, newest first. */
  secrets: readonly ({
    /** Its last characters. */
    hint: string
    created_at: string
    /** Until when it signs beside the newest. */
    expires_at: string | null
  })[]
  /** Shown when the endpoint is made, then never again. */
  bearer_token: string | null
  bearer_token_hint: string | null
  created_at: string
  updated_at: string
  delivery: {
    /** Steps of the account’s history that were not looked at for it yet. */
    behind: number
    /** Deliveries that wait for a try. */
    waiting: number
    /** Deliveries put aside while it was disabled. */
    held: number
    /** Deliveries that were given up. */
    dead: number
    breaker: "closed" | "open"
    /** Nothing is sent until then. */
    open_until: string | null
    /** Failed calls in a row. */
    failures: number
    last_success_at: string | null
    last_failure_at: string | null
    /** How long its answers take lately. */
    latency_ms: number | null
  }
  status: "deleted"
}

export type Delivery = {
  /** Unique within its endpoint. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  event_id: string
  type: string
  /** The contract; null for an event that is no contract’s. */
  contract_id: string | null
  sequence: number
  status: "pending" | "delivered" | "dead" | "held"
  /** 0 for the first delivery of the event; above, the number of the replay. */
  replay: number
  tries: number
  next_attempt_at: string | null
  created_at: string
  updated_at: string
}

export type DeliveryAttempt = {
  number: number
  /** When the call began. */
  at: string
  duration_ms: number
  outcome: "delivered" | "refused" | "no_answer" | "not_sent"
  status_code: number | null
  /** What was wrong. */
  fault: string | null
  /** As it was, without its token and signatures; the url is that of today. */
  request: {
    method: string
    url: string
    headers: Record<string, string>
    /** Its first 4 KiB. */
    body: string
  }
  response: {
    /** Its first 2 KiB. */
    body: string | null
  }
}

export type DeliveryTest = {
  delivered: boolean
  outcome: "delivered" | "refused" | "no_answer" | "not_sent"
  status_code: number | null
  duration_ms: number
  /** What was wrong. */
  fault: string | null
  /** Its first 2 KiB. */
  response_body: string | null
  event: GatewayEvent
}

export type DeliveryTestRequest = {
  /** contract.paid by default. */
  type?: "contract.created" | "contract.updated" | "contract.issued" | "contract.approval_requested" | "contract.approved" | "contract.rejected" | "contract.verification_completed" | "contract.paid" | "contract.completed" | "contract.cancelled" | "contract.expired" | "contract.returned" | "contract.transfer_failed" | "contract.payment_failed" | "contract.payment_suspended" | "contract.payment_returned" | "contract.refunded" | undefined
}

export type Destination = {
  /** Of the destination. */
  id: string
  label: string | null
  channel: string
  recipient: {
    name: string | null
    email: string | null
    mobile: string | null
    wallet: string | null
    tag: string | null
    address: string | null
    country: string | null
  }
  default: boolean
  status: "active" | "archived"
  /** Rises when it pays otherwise than before. */
  version: number
  /** Since when it pays as it does. */
  changed_at: string
  /** Empty: nothing verifies destinations yet. */
  verifications: readonly (unknown)[]
}

/** A JSON merge patch (RFC 7396): null clears. */
export type DestinationPatch = {
  /** By which channel it is paid: GET /channels. */
  channel?: string | null | undefined
  /** Your own name for it, such as “salary account”. */
  label?: string | null | undefined
  /** Used by drafts that name none. The first destination is the default. */
  default?: boolean | null | undefined
  /** What the channel asks of a recipient: required_schema of GET /channels. What it asks and is not given is taken from the profile. */
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
  } | null | undefined
}

export type DestinationRequest = {
  /** By which channel it is paid: GET /channels. */
  channel: string
  /** Your own name for it, such as “salary account”. */
  label?: string | null | undefined
  /** Used by drafts that name none. The first destination is the default. */
  default?: boolean | null | undefined
  /** What the channel asks of a recipient: required_schema of GET /channels. What it asks and is not given is taken from the profile. */
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
  } | null | undefined
}

export type Duplicate = {
  /** Of another profile. */
  id: string
  name: string | null
  /** What both have alike. */
  same: readonly ("mobile" | "email" | "account" | "reference")[]
}

export type Enrolment = {
  /** For POST /invitations/{token}/confirm, within the hour, and until the invitation is accepted anew. */
  token: string
  expires_at: string
  authenticator: Authenticator
  /** For navigator.credentials.create(), by parseCreationOptionsFromJSON. */
  passkey: {
    challenge?: string | undefined
  } & Record<string, unknown>
}

export type ErrorType = "invalid_request_error" | "authentication_error" | "permission_error" | "payment_error" | "not_found_error" | "conflict_error" | "idempotency_error" | "rate_limit_error" | "api_error" | "channel_error"

export type GatewayEvent = TransferContractEvent | PaymentContractEvent | WalletEvent | ProfileEvent | VerificationEvent | PolicyEvent | ScheduleEvent | KeyEvent | MemberEvent | CommandEvent | AccountEvent | RestorationEvent

export type EventDelivery = {
  /** Unique within its endpoint. */
  id: string
  /** The webhook endpoint. */
  endpoint_id: string
  /** False: TEST, no real money. */
  livemode: boolean
  status: "pending" | "delivered" | "dead" | "held"
  /** 0 for the first delivery of the event; above, the number of the replay. */
  replay: number
  tries: number
  next_attempt_at: string | null
  created_at: string
  updated_at: string
}

export type EventType = "contract.created" | "contract.updated" | "contract.issued" | "contract.approval_requested" | "contract.approved" | "contract.rejected" | "contract.verification_completed" | "contract.paid" | "contract.completed" | "contract.cancelled" | "contract.expired" | "contract.returned" | "contract.transfer_failed" | "contract.payment_failed" | "contract.payment_suspended" | "contract.payment_returned" | "contract.refunded" | "account.updated" | "key.created" | "key.rolled" | "key.revoked" | "member.invited" | "member.joined" | "member.updated" | "member.removed" | "wallet.created" | "wallet.updated" | "wallet.low" | "profile.created" | "profile.updated" | "profile.archived" | "verification.completed" | "policy.created" | "policy.updated" | "policy.archived" | "command.paused" | "command.completed" | "command.cancelled" | "schedule.created" | "schedule.updated" | "schedule.paused" | "schedule.ended" | "schedule.run" | "gateway.restored"

export type FeeBreakdown = {
  /** Percent of the amount. */
  pct: number
  /** Added to the percentage, major units. */
  add: number
  /** Least fee; 0 for none. */
  min: number
  /** Greatest fee; 0 for none. */
  max: number
  /** Where above 0, this is the fee. */
  fixed: number
}

/** A transfer is in one tier, and the whole of it is priced there. */
export type FeeTier = {
  /** The last amount, or volume, that belongs to the tier, in major units; the last tier has none. */
  up_to?: number | null | undefined
  /** Percent of the amount, 0 to 100 with at most 4 decimals; rounded to the minor unit, half away from zero. */
  pct?: number | null | undefined
  /** Added to the percentage, in major units. */
  add?: number | null | undefined
  /** Least fee; 0 for none. */
  min?: number | null | undefined
  /** Greatest fee; 0 for none. */
  max?: number | null | undefined
}

/** A transfer is in one tier, and the whole of it is priced there. */
export type FeeTierInput = {
  /** The last amount, or volume, that belongs to the tier, in major units; the last tier has none. */
  up_to?: Decimal | null | undefined
  /** Percent of the amount, 0 to 100 with at most 4 decimals; rounded to the minor unit, half away from zero. */
  pct?: Decimal | null | undefined
  /** Added to the percentage, in major units. */
  add?: Decimal | null | undefined
  /** Least fee; 0 for none. */
  min?: Decimal | null | undefined
  /** Greatest fee; 0 for none. */
  max?: Decimal | null | undefined
}

export type Freeze = {
  channel: string
  /** Why, and who did it where somebody did. */
  reason: string
  since: string
}

export type FreezeRequest = {
  /** The id of the channel. */
  channel: string
  /** Why it stands still, for whoever lets it go on. */
  reason: string
}

export type GcashMethod = {
  type: "gcash"
  gcash?: {
    /** The mobile number of the wallet, where it is known. */
    mobile?: string | null | undefined
    /** Where the payer goes after paying. */
    success_url?: string | null | undefined
    /** Where the payer goes when it failed. */
    failure_url?: string | null | undefined
    /** Where the payer goes after turning back. */
    cancel_url?: string | null | undefined
  } | null | undefined
}

export type Health = {
  status: string
}

export type Invitation = {
  /** Shown once. It is the whole right to come in. */
  token: string
  /** Where the invitation is read. Pass it on to the person: nothing is mailed. */
  url: string
  /** 72 hours after it was made. A new one ends it earlier. */
  expires_at: string
}

export type InviteRequest = {
  /** Where the member is known by; in lower case. */
  email: string
  /** What the member may do: docs/members.md. */
  role: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer"
  /** The name that others see. */
  name?: string | undefined
}

export type IssueRequest = {
  /** Compared with what would be charged: any difference refuses with preview_mismatch. */
  preview?: {
    amount?: Decimal | null | undefined
    valid?: boolean | null | undefined
    fees?: {
      total?: Decimal | null | undefined
      covered?: boolean | null | undefined
    } | null | undefined
  } | null | undefined
}

export type Key = {
  /** Ten characters; the middle part of the key. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  name: string
  state: "active" | "expired" | "revoked"
  scopes: readonly (string)[]
  /** Where it may be used from; null for anywhere. */
  addresses: readonly (string)[] | null
  /** What may leave at a time; null for any amount. */
  transfer_max: readonly ({
    currency: Currency
    amount: number
  })[] | null
  /** What may leave by the key in all, and what is left of it; null where nothing bounds that. */
  mandate: {
    limits: readonly ({
      currency: Currency
      total: number
      per_transfer: number | null
      /** More at a time is paid once a member has approved it; null for none. */
      approval_above: number | null
      /** What has left. What came back is not taken off. */
      spent: number
      remaining: number
      /** How often something left. */
      transfers: number
    })[]
    recipients: readonly ({
      wallet: string | null
      tag: string | null
      mobile: string | null
      email: string | null
    })[] | null
    profiles: readonly (string)[] | null
    channels: readonly (string)[] | null
    until: string | null
  } | null
  /** Of a key with which a provider reports payments; null for any other. */
  receiver: {
    /** Null for all of its mode. */
    channels: readonly (string)[] | null
  } | null
  /** When it was made. */
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  /** The last day of use, in UTC: YYYY-MM-DD. */
  last_used_on: string | null
}

export type KeyEvent = {
  id: string
  type: "key.created" | "key.rolled" | "key.revoked"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Key
  }
  /** The last word of the type. */
  event: string
  kind: "key"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type KeyPatch = {
  /** What the key is for. */
  name?: string | undefined
  /** Where it may be used from: addresses or ranges such as 203.0.113.7 or 2001:db8::/32. Null for anywhere; left out, as with whoever makes the key. */
  addresses?: readonly (string)[] | null | undefined
  /** What may leave the account at a time by this key: by pay, retry, refund or return. Null for any amount; left out, as with whoever makes the key. */
  transfer_max?: readonly ({
    /** Another currency than those listed does not leave at all. */
    currency: Currency
    /** The most that may leave at a time, fee included, in major units. */
    amount: Decimal
  })[] | null | undefined
  /** What may leave by this key in all. Null for any; a key with a mandate makes and changes no keys. A change keeps what has left. */
  mandate?: {
    limits: readonly ({
      /** Another currency than those listed does not leave at all. */
      currency: Currency
      /** What may leave in all, fees included, in major units. */
      total: Decimal
      /** The most at a time, fee included; null for what is left. */
      per_transfer?: Decimal | null | undefined
      /** More than this at a time, fee included, is paid once a member has approved it; 0: everything. Null: the key pays it alone. */
      approval_above?: Decimal | null | undefined
    })[]
    /** Who may be paid: all that a contract names of a recipient must be the same. Null for anybody. */
    recipients?: readonly ({
      /** An account, as contracts name it. */
      wallet?: string | null | undefined
      /** Its bank code or memo; an account at another bank is another one. */
      tag?: string | null | undefined
      /** E.164; 09… is read as +63…. */
      mobile?: string | null | undefined
      /** An e-mail address. */
      email?: string | null | undefined
    })[] | null | undefined
    /** Profiles that may be paid, beside recipients. Not of a key that may change profiles. */
    profiles?: readonly (string)[] | null | undefined
    /** Null for any. */
    channels?: readonly (string)[] | null | undefined
    /** When it ends; null for as long as the key lives. */
    until?: string | null | undefined
  } | null | undefined
}

export type KeyRequest = {
  /** What the key is for. */
  name: string
  /** What it may do: some of your own scopes. */
  scopes: readonly (Scope)[]
  /** Seconds until it ends. Null for no end; left out, it ends with whoever makes it. */
  expires_in?: number | null | undefined
  /** Where it may be used from: addresses or ranges such as 203.0.113.7 or 2001:db8::/32. Null for anywhere; left out, as with whoever makes the key. */
  addresses?: readonly (string)[] | null | undefined
  /** What may leave the account at a time by this key: by pay, retry, refund or return. Null for any amount; left out, as with whoever makes the key. */
  transfer_max?: readonly ({
    /** Another currency than those listed does not leave at all. */
    currency: Currency
    /** The most that may leave at a time, fee included, in major units. */
    amount: Decimal
  })[] | null | undefined
  /** What may leave by this key in all. Null for any; a key with a mandate makes and changes no keys. A change keeps what has left. */
  mandate?: {
    limits: readonly ({
      /** Another currency than those listed does not leave at all. */
      currency: Currency
      /** What may leave in all, fees included, in major units. */
      total: Decimal
      /** The most at a time, fee included; null for what is left. */
      per_transfer?: Decimal | null | undefined
      /** More than this at a time, fee included, is paid once a member has approved it; 0: everything. Null: the key pays it alone. */
      approval_above?: Decimal | null | undefined
    })[]
    /** Who may be paid: all that a contract names of a recipient must be the same. Null for anybody. */
    recipients?: readonly ({
      /** An account, as contracts name it. */
      wallet?: string | null | undefined
      /** Its bank code or memo; an account at another bank is another one. */
      tag?: string | null | undefined
      /** E.164; 09… is read as +63…. */
      mobile?: string | null | undefined
      /** An e-mail address. */
      email?: string | null | undefined
    })[] | null | undefined
    /** Profiles that may be paid, beside recipients. Not of a key that may change profiles. */
    profiles?: readonly (string)[] | null | undefined
    /** Null for any. */
    channels?: readonly (string)[] | null | undefined
    /** When it ends; null for as long as the key lives. */
    until?: string | null | undefined
  } | null | undefined
}

export type KeyRoll = {
  /** How long the old key still works; a day by default, 0 to end it now. */
  overlap_seconds?: number | undefined
  /** Seconds until the new key ends, null for no end. Left out, it ends when the old one would have. */
  expires_in?: number | null | undefined
}

export type LedgerEntry = {
  /** Whose it is. */
  account_id: string
  /** The wallet. */
  wallet_id: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** Of the wallet, without gaps. */
  sequence: number
  /** The ledger account that the amount leaves. */
  debit: string
  /** The ledger account that receives it. */
  credit: string
  amount: number
  currency: Currency
  /** The contract that moved it. */
  contract_id: string | null
  reference: string | null
  created_at: string
}

export type ListEntriesRequest = {
  /** Each has a name, a wallet, a mobile or an email. */
  entries: readonly ({
    /** Of a person or firm; found in other spellings, too. */
    name?: string | null | undefined
    /** An account number or address, compared by its letters and digits. */
    wallet?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** An address. */
    email?: string | null | undefined
    /** Why it is on the list. */
    note?: string | null | undefined
  })[]
}

export type ListEntry = {
  /** Of the entry. */
  id: string
  name: string | null
  wallet: string | null
  mobile: string | null
  email: string | null
  note: string | null
}

export type MadePaymentAttempt = {
  number: number
  type: "gcash" | "maya" | "qr" | "card" | "wallet" | "crypto"
  channel: string
  /** What the channel knows it by. */
  reference: string
  status: "starting" | "pending" | "processing" | "unknown" | "succeeded" | "failed" | "cancelled"
  /** What the payer is to pay. */
  amount: number
  fee: number
  provider_id: string | null
  created_at: string
  failure: {
    code: string
    message: string
  } | null
  /** Calls that ended in no definite success, oldest first: the newest 20, for 30 days. Orders that left in a file with others have none. */
  calls: readonly (ChannelCall)[]
}

export type MadeTransferAttempt = {
  number: number
  channel: string | null
  /** What the channel knows it by. */
  reference: string
  status: "none" | "queued" | "submitting" | "accepted" | "unknown" | "delivered" | "failed" | "voided" | "returned"
  /** How often the channel was asked without an outcome; of looks that it did not answer the first few count. Null of an attempt that another one has followed. */
  tries: number | null
  created_at: string
  submitted_at: string | null
  ended_at: string | null
  next_at: string | null
  failure: {
    code: string
    message: string
  } | null
  /** Calls that ended in no definite success, oldest first: the newest 20, for 30 days. Orders that left in a file with others have none. */
  calls: readonly (ChannelCall)[]
}

export type MayaMethod = {
  type: "maya"
  maya?: {
    /** The mobile number of the wallet, where it is known. */
    mobile?: string | null | undefined
    /** Where the payer goes after paying. */
    success_url?: string | null | undefined
    /** Where the payer goes when it failed. */
    failure_url?: string | null | undefined
    /** Where the payer goes after turning back. */
    cancel_url?: string | null | undefined
  } | null | undefined
}

export type Member = {
  /** The member. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** Where the member is known by; in lower case. */
  email: string
  name: string | null
  /** What the member may do: docs/members.md. */
  role: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer"
  /** Active once a second factor is enrolled. */
  status: "invited" | "active" | "removed"
  factors: {
    /** Codes by time. */
    authenticator: boolean
    passkeys: number
    /** How many are left. */
    recovery_codes: number
  }
  invitation_expires_at: string | null
  created_at: string
  joined_at: string | null
  removed_at: string | null
}

export type MemberEvent = {
  id: string
  type: "member.invited" | "member.joined" | "member.updated" | "member.removed"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Member
  }
  /** The last word of the type. */
  event: string
  kind: "member"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type MemberPatch = {
  /** The name that others see. */
  name?: string | null | undefined
  /** What the member may do: docs/members.md. */
  role?: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer" | undefined
}

export type MemberScope = "contracts:read" | "contracts:write" | "transfers:issue" | "transfers:pay" | "transfers:cancel" | "wallets:read" | "events:read" | "webhooks:manage" | "payments:refund" | "events:write" | "accounts:read" | "accounts:write" | "keys:write" | "members:write" | "wallets:write" | "profiles:read" | "profiles:write" | "commands:read" | "commands:write" | "policies:read" | "policies:write" | "verifiers:read" | "verifiers:write" | "audit:read" | "metrics:read" | "approvals:write" | "operations:read" | "operations:write" | "operations:approve"

export type NamedPolicy = {
  /** Null for one that is not saved. */
  id: string | null
  name: string
  version: number | null
}

/** What the payer does next. */
export type NextAction = RedirectAction | QrAction | AddressAction

export type NotedVerification = {
  /** Of the verification: GET /verifications/{id} has its evidence. */
  id: string
  kind: NotedVerificationKind
  verifier: {
    /** Null for a built-in one. */
    id: string | null
    name: string
  }
  status: NotedVerificationStatus
  words: string | null
  ended_at: string | null
  /** Until then the result counts. */
  expires_at: string | null
}

export type NotedVerificationKind = "name" | "mobile" | "chain_address" | "list" | "otp" | "http"

export type NotedVerificationStatus = "pending" | "pass" | "fail" | "review" | "unavailable"

export type Nothing = Record<string, never>

export type OidcRequest = {
  /** Which account, where several have the address. */
  account?: string | undefined
}

export type OpenInvitation = {
  /** The account that invites. */
  account_id: string
  account_name: string
  /** False: TEST, no real money. */
  livemode: boolean
  email: string
  name: string | null
  role: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer"
  invited_by: string | null
  expires_at: string
}

export type OperatingPerson = {
  /** The member. */
  member_id: string
  email: string
}

export type Overview = {
  /** False: TEST, no real money. */
  livemode: boolean
  time_zone: string
  /** YYYY-MM-DD. */
  from: string
  to: string
  currency: string | null
  /** What waits for a person, the most pressing first. Nothing: nothing does. */
  attention: readonly (OverviewAttention)[]
  under_way: readonly ({
    currency: string
    /** Paid, and not accepted by a channel yet. */
    held: number
    /** Accepted by a channel, and not delivered yet. */
    in_transit: number
  })[]
  totals: readonly (OverviewTotal)[]
  /** Days on which nothing happened are left out. */
  days: readonly (OverviewDay)[]
  /** The limits of times, in seconds. */
  time_limits: readonly (number)[]
  /** What the credential may not see, and the scope that it lacks. */
  left_out: readonly ({
    part: string
    scope: string
  })[]
  /** Set where much was written at once, or the time zone was changed: figures go up to this moment. Null: to now. */
  counted_until: string | null
}

export type OverviewAttention = {
  /** approvals_waiting and reviews_waiting are told to members alone: what each of them may approve or decide. */
  kind: "approvals_waiting" | "reviews_waiting" | "transfer_failed" | "transfer_returned" | "transfer_unknown" | "transfer_late" | "payment_unallocated" | "wallet_low" | "endpoint_stopped" | "endpoint_failing" | "event_not_sent" | "key_ending" | "transfer_expiring" | "payment_expiring" | "draft_incomplete"
  /** 99 at most. */
  count: number
  /** There are more than counted. */
  more: boolean
  /** Since when the oldest waits; null of wallets and keys. */
  since: string | null
  /** Of contracts that expire and keys that end: when the first does. */
  ends_at: string | null
  /** A few, the most pressing first. */
  objects: readonly ({
    type: "transfer" | "payment" | "verification" | "wallet" | "webhook_endpoint" | "key"
    id: string
  })[]
}

export type OverviewDay = {
  /** YYYY-MM-DD, in the account’s time zone. */
  day: string
  /** A refund is a transfer that sends back what a payment brought in. */
  kind: "transfer" | "refund" | "payment"
  currency: string
  /** Null of contracts that named none yet. */
  channel: string | null
  created: number
  paid: number
  completed: number
  /** Paid, refused for good by the channel, and ended without delivery. */
  failed: number
  /** By its owner or payer. */
  cancelled: number
  expired: number
  /** Delivered, and sent back by the channel. */
  returned: number
  /** In major units. Of transfers and refunds what was delivered; of payments what was paid. Without the fee. */
  amount: number
  fees: number
  /** Of what was delivered, what came back. */
  returned_amount: number
  /** From paid to completed, summed over those completed. */
  seconds: number
  /** How many of those completed took up to 1, 5, 15, 60, 300, 900, 3600, 14400, 86400, 259200, 604800 seconds, each without those before; and longer. */
  times: readonly (number)[]
}

export type OverviewTotal = {
  /** A refund is a transfer that sends back what a payment brought in. */
  kind: "transfer" | "refund" | "payment"
  currency: string
  created: number
  paid: number
  completed: number
  /** Paid, refused for good by the channel, and ended without delivery. */
  failed: number
  /** By its owner or payer. */
  cancelled: number
  expired: number
  /** Delivered, and sent back by the channel. */
  returned: number
  /** In major units. Of transfers and refunds what was delivered; of payments what was paid. Without the fee. */
  amount: number
  fees: number
  /** Of what was delivered, what came back. */
  returned_amount: number
  /** From paid to completed, summed over those completed. */
  seconds: number
  /** How many of those completed took up to 1, 5, 15, 60, 300, 900, 3600, 14400, 86400, 259200, 604800 seconds, each without those before; and longer. */
  times: readonly (number)[]
  /** 0 to 1. Of transfers and refunds that ended at a channel those that were delivered and stayed so; of payments that were paid or expired those that were paid. Null where none ended. */
  success_rate: number | null
  /** Half of those completed took no longer, in seconds. */
  half_within: number | null
  /** The same of 95 in 100. Null for none, and beyond the last limit. */
  most_within: number | null
}

export type Passkey = {
  /** The credential id, in base64url. */
  id: string
  name: string
  created_at: string
  last_used_at: string | null
}

export type PasskeyRequest = {
  /** What navigator.credentials.create() gives, as JSON (WebAuthn, PublicKeyCredential.toJSON). */
  passkey: {
    id: string
    rawId: string
    type: "public-key"
    response: {
      clientDataJSON: string
    } & Record<string, unknown>
  } & Record<string, unknown>
  /** What the passkey is called here. */
  name?: string | undefined
}

export type PasswordRequest = {
  password: string
  /** 12 to 200 characters. */
  new_password: string
}

export type PayRequest = {
  /** Compared with what would be charged: any difference refuses with preview_mismatch. */
  preview?: {
    amount?: Decimal | null | undefined
    valid?: boolean | null | undefined
    fees?: {
      total?: Decimal | null | undefined
      covered?: boolean | null | undefined
    } | null | undefined
  } | null | undefined
  /** The wallet to pay from; by default the account’s wallet in the currency. */
  source?: string | null | undefined
}

export type PayerProfileRequest = {
  /** A profile that the payer has already; without it, one is made of what the rail told. */
  profile?: string | null | undefined
}

export type PaymentAttempt = {
  number: number
  type: "gcash" | "maya" | "qr" | "card" | "wallet" | "crypto"
  channel: string
  /** What the rail knows the attempt by. Null for whoever holds a token. */
  reference: string | null
  status: "starting" | "pending" | "processing" | "unknown" | "succeeded" | "failed" | "cancelled"
  /** What the payer is to pay. */
  amount: number
  /** Null for whoever holds a token. */
  fee: number | null
  provider_id: string | null
  /** What may be shown of the means of payment: mobile, brand, last4, expiry, asset, network, confirmations. */
  details: Record<string, string>
  failure: {
    code: string
    message: string
  } | null
  created_at: string
}

export type PaymentContract = {
  /** Contract identifier. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  amount: number
  currency: Currency
  /** The profile that issued it. */
  issued_by: string | null
  issued_to: string | null
  issued_at: string | null
  /** The profile that paid. */
  paid_by: string | null
  paid_at: string | null
  /** The wallet: that paid a transfer, null before; that a payment comes into. Null for whoever holds a token. */
  wallet_id: string | null
  /** When a draft or issued contract expires. */
  expires_at: string
  description: string | null
  deliverable: {
    type: string | null
    reference_id: string | null
    description: string | null
    details: string | null
  } | null
  recipient: {
    name: string | null
    email: string | null
    mobile: string | null
    wallet: string | null
    tag: string | null
    address: string | null
    country: string | null
  } | null
  /** What recipient was taken from; later changes of the profile change no contract. */
  recipient_profile: {
    /** The profile. */
    profile: string
    profile_version: number
    /** Its destination. */
    destination: string | null
    destination_version: number | null
  } | null
  issued_to_profile: {
    /** The profile. */
    profile: string
    profile_version: number
  } | null
  channel: ContractChannel | null
  payment: {
    paid_at: string
    details: Activity
  } | null
  /** The newest 50, oldest first; all of them: GET …/{id}/activities. */
  activities: readonly (Activity)[]
  activities_total: number
  metadata: Record<string, string>
  preview: Preview
  cancellation: {
    status: "pending" | "refused" | "done"
    reason: string | null
    requested_at: string
  } | null
  created_at: string
  updated_at: string
  version: number
  kind: "payment"
  status: PaymentStatus
  attempts: readonly (PaymentAttempt)[]
  next_action: NextAction | null
  /** All that ever arrived in the currency of the contract. */
  amount_received: number
  /** What of it fits no contract and waits to go back. */
  amount_in_suspense: number
  amount_refunded: number
  settles_at: string | null
  completed_at: string | null
  refunds: readonly ({
    /** The transfer contract that gives it back. Null for whoever holds a token. */
    transfer_id: string | null
    from: "payment" | "suspense"
    amount: number
    currency: Currency
    status: "open" | "done" | "failed"
    created_at: string
  })[]
  /** The payer, where it was saved: POST …/payer-profile. */
  payer_profile: {
    /** The profile. */
    profile: string
    profile_version: number
  } | null
  return_url: string | null
  /** The payer’s page. Whoever has it may pay. Null for whoever holds a token. */
  checkout_url: string | null
}

export type PaymentContractEvent = {
  id: string
  type: "contract.issued" | "contract.paid" | "contract.completed" | "contract.cancelled" | "contract.expired" | "contract.payment_failed" | "contract.payment_suspended" | "contract.payment_returned" | "contract.refunded"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Payment
  }
  /** The last word of the type. */
  event: string
  kind: "payment"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type PaymentExplanation = {
  /** For people; the words may change. */
  summary: string
  /** Where each part of what came in the contract’s currency is; empty while nothing has come. */
  places: readonly ({
    /** suspense, pending and available are of the account’s wallet; fee_revenue is the gateway’s; payer is outside: what was refunded, or is on its way there. */
    account: string
    amount: number
    currency: string
  })[]
  /** Who must act. */
  waits_for: "payer" | "caller" | "gateway" | "channel" | "nobody"
  /** When the next thing happens by itself at the latest; null when nothing does. */
  by: string | null
  /** What a cancel would do at this moment, for people. */
  cancel_now: string
}

export type PaymentMethod = GcashMethod | MayaMethod | QrMethod | CardMethod | WalletMethod | CryptoMethod

export type PaymentRequest = {
  /** Major units, above 0, with at most the decimals of the currency and 15 significant digits. */
  amount: Decimal
  currency: Currency
  /** What the contract is about. */
  description?: string | null | undefined
  /** To whom it is issued: the id of a profile of yours, or any text that is no UUID; by default the recipient's e-mail, mobile or name. */
  issued_to?: string | null | undefined
  /** Id of the chosen channel: GET /channels. */
  channel?: string | null | undefined
  deliverable?: {
    /** order, invoice, bill, service, salary, remittance, loan, donation, refund, subscription, ticket, other, or a word of your own. */
    type?: string | null | undefined
    /** Your own reference; lists can be filtered by it. */
    reference_id?: string | null | undefined
    /** What is paid for. */
    description?: string | null | undefined
    /** Anything more. */
    details?: string | null | undefined
  } | null | undefined
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
    /** In place of the other members: a profile of yours, whose values are taken as they stand now. */
    profile?: string | null | undefined
    /** With profile: the saved way to pay it; by default the default one. */
    destination?: string | null | undefined
  } | null | undefined
  /** Ignored: a payment contract opens as issued. */
  status?: "draft" | "issued" | null | undefined
  /** Compared with the real preview, never stored: a difference is a warning. */
  preview?: {
    amount?: Decimal | null | undefined
    valid?: boolean | null | undefined
    fees?: {
      total?: Decimal | null | undefined
      covered?: boolean | null | undefined
    } | null | undefined
  } | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
  /** Seconds until the contract expires, 60 to 2,592,000 (from 1 in test mode); 1,800. */
  expires_in?: number | null | undefined
  payment?: PaymentMethod | null | undefined
  /** The wallet of yours that the money goes to; by default the default one of the currency. */
  wallet?: string | null | undefined
  /** Where the payment page leads the payer back to. */
  return_url?: string | null | undefined
}

export type PaymentStatus = "issued" | "paid" | "completed" | "cancelled" | "expired"

export type PayoutPause = {
  /** The channel; null for all of them. */
  channel: string | null
  /** Who paused it. */
  operator: string
  /** Why. */
  evidence: string
  since: string
}

export type PayoutSwitch = {
  /** The id of a channel; without it all of them. */
  channel?: string | undefined
  /** What proves it, for whoever asks later. Kept with your name. */
  evidence: string
}

export type Payouts = {
  /** Whether anything is paused. */
  state: "on" | "paused"
  pauses: readonly (PayoutPause)[]
  /** What is due by channel, paused or not; without what is on a database server that is away, where there are several. */
  waiting: readonly (WaitingPayouts)[]
}

/** A policy that is not saved, alone; without it, all that are active. */
export type PoliciesEvaluation = {
  policy?: PolicyRequest | undefined
  /** A transfer contract of yours, as it stands. */
  contract_id?: string | null | undefined
  draft?: TransferDraft | undefined
  /** The wallet to pay from; by default the account’s wallet in the currency. */
  source?: string | null | undefined
  /** As if this API key paid it; by default you. */
  key?: string | null | undefined
  /** As if this member paid it; by default you. */
  member?: string | null | undefined
  /** As if it were paid then; by default now. */
  at?: string | null | undefined
}

export type Policy = {
  /** Of the policy. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  name: string
  description: string | null
  priority: number
  when: readonly (PolicyCondition)[]
  then: PolicyOutcome
  status: "active" | "paused" | "archived"
  /** What it does, in words. */
  sentence: string
  version: number
  created_at: string
  updated_at: string
}

/** All conditions of a policy hold, or it does not apply. */
export type PolicyCondition = {
  /** What of the transfer, or of what was paid before, is looked at. */
  field: "amount" | "currency" | "channel" | "recipient.country" | "recipient.profile" | "key" | "member" | "recipient.new" | "hour" | "weekday" | "sum" | "count"
  /** Of amount: above, at_least, below, at_most; of sum and count: above; of lists: in, not_in. */
  op?: "above" | "at_least" | "below" | "at_most" | "in" | "not_in" | null | undefined
  /** Of amount and sum: major units of the currency. Of count: how many. */
  value?: number | null | undefined
  /** Of lists: codes or ids, such as PHP, sandbox, PH, or the id of a profile. A key goes on with those that it is rolled into; one that it makes has its limits, and none of its exemptions. Of weekday: 1 for Monday to 7 for Sunday. */
  values?: readonly (string | number)[] | null | undefined
  currency?: Currency | null | undefined
  /** Of sum and count: whose payments are counted together. key: with those that it is rolled into or that it makes. */
  by?: "account" | "recipient" | "key" | "wallet" | null | undefined
  /** Of sum and count: over how long, up to this moment. */
  window?: "hour" | "day" | "30_days" | null | undefined
  /** Of recipient.new: for how many days somebody is new. */
  within_days?: number | null | undefined
  /** Of hour: from this one on, 0 to 23, in the account’s time zone. */
  from?: number | null | undefined
  /** Of hour: until this one begins, 1 to 24; over midnight where it is below from. */
  to?: number | null | undefined
}

/** All conditions of a policy hold, or it does not apply. */
export type PolicyConditionInput = {
  /** What of the transfer, or of what was paid before, is looked at. */
  field: "amount" | "currency" | "channel" | "recipient.country" | "recipient.profile" | "key" | "member" | "recipient.new" | "hour" | "weekday" | "sum" | "count"
  /** Of amount: above, at_least, below, at_most; of sum and count: above; of lists: in, not_in. */
  op?: "above" | "at_least" | "below" | "at_most" | "in" | "not_in" | null | undefined
  /** Of amount and sum: major units of the currency. Of count: how many. */
  value?: Decimal | null | undefined
  /** Of lists: codes or ids, such as PHP, sandbox, PH, or the id of a profile. A key goes on with those that it is rolled into; one that it makes has its limits, and none of its exemptions. Of weekday: 1 for Monday to 7 for Sunday. */
  values?: readonly (string | number)[] | null | undefined
  currency?: Currency | null | undefined
  /** Of sum and count: whose payments are counted together. key: with those that it is rolled into or that it makes. */
  by?: "account" | "recipient" | "key" | "wallet" | null | undefined
  /** Of sum and count: over how long, up to this moment. */
  window?: "hour" | "day" | "30_days" | null | undefined
  /** Of recipient.new: for how many days somebody is new. */
  within_days?: number | null | undefined
  /** Of hour: from this one on, 0 to 23, in the account’s time zone. */
  from?: number | null | undefined
  /** Of hour: until this one begins, 1 to 24; over midnight where it is below from. */
  to?: number | null | undefined
}

/** What a policy would have done to it. */
export type PolicyEffect = "denied" | "approvals" | "verification" | "delayed"

export type PolicyEvaluation = {
  /** A transfer contract of yours, as it stands. */
  contract_id?: string | null | undefined
  draft?: TransferDraft | undefined
  /** The wallet to pay from; by default the account’s wallet in the currency. */
  source?: string | null | undefined
  /** As if this API key paid it; by default you. */
  key?: string | null | undefined
  /** As if this member paid it; by default you. */
  member?: string | null | undefined
  /** As if it were paid then; by default now. */
  at?: string | null | undefined
}

export type PolicyEvent = {
  id: string
  type: "policy.created" | "policy.updated" | "policy.archived"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Policy
  }
  /** The last word of the type. */
  event: string
  kind: "policy"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type PolicyOutcome = {
  /** allow and deny: the first that applies decides. Others add up. */
  kind: "allow" | "deny" | "approvals" | "verification" | "delay" | "fees"
  /** Of deny: what the caller hears. */
  words?: string | null | undefined
  /** Of approvals: how many different members. */
  count?: number | null | undefined
  /** Of approvals: of which role; any that may approve without it. */
  role?: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer" | null | undefined
  /** Of verification: what is verified. */
  verification?: "name" | "mobile" | "chain_address" | "list" | "otp" | "http" | null | undefined
  /** Of verification: one of your own verifiers; the one that is built in without it. */
  verifier?: string | null | undefined
  /** Of verification: what becomes of it without an answer; wait by default. */
  on_unavailable?: "wait" | "allow" | null | undefined
  /** Of delay: how much later it leaves. */
  seconds?: number | null | undefined
  /** Of fees: the channel whose transfers cost so. */
  channel?: string | null | undefined
  currency?: Currency | null | undefined
  /** Of fees: the amount chooses the tier, by default, or what the channel moved in the 30 days before. */
  by?: "amount" | "volume" | null | undefined
  /** Of fees: their ends rise, and the last has none. */
  tiers?: readonly (FeeTier)[] | null | undefined
}

export type PolicyOutcomeInput = {
  /** allow and deny: the first that applies decides. Others add up. */
  kind: "allow" | "deny" | "approvals" | "verification" | "delay" | "fees"
  /** Of deny: what the caller hears. */
  words?: string | null | undefined
  /** Of approvals: how many different members. */
  count?: number | null | undefined
  /** Of approvals: of which role; any that may approve without it. */
  role?: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer" | null | undefined
  /** Of verification: what is verified. */
  verification?: "name" | "mobile" | "chain_address" | "list" | "otp" | "http" | null | undefined
  /** Of verification: one of your own verifiers; the one that is built in without it. */
  verifier?: string | null | undefined
  /** Of verification: what becomes of it without an answer; wait by default. */
  on_unavailable?: "wait" | "allow" | null | undefined
  /** Of delay: how much later it leaves. */
  seconds?: number | null | undefined
  /** Of fees: the channel whose transfers cost so. */
  channel?: string | null | undefined
  currency?: Currency | null | undefined
  /** Of fees: the amount chooses the tier, by default, or what the channel moved in the 30 days before. */
  by?: "amount" | "volume" | null | undefined
  /** Of fees: their ends rise, and the last has none. */
  tiers?: readonly (FeeTierInput)[] | null | undefined
}

/** A JSON merge patch (RFC 7396): null clears; when is replaced as a whole. */
export type PolicyPatch = {
  /** What people call it; refusals name it. */
  name?: string | null | undefined
  /** Why there is such a policy. */
  description?: string | null | undefined
  /** Lower numbers are asked first; 100 by default. */
  priority?: number | null | undefined
  /** None: it applies to every transfer. */
  when?: readonly (PolicyConditionInput)[] | null | undefined
  /** active by default; paused: it is kept and not asked. */
  status?: "active" | "paused" | "archived" | null | undefined
  then?: {
    /** allow and deny: the first that applies decides. Others add up. */
    kind?: "allow" | "deny" | "approvals" | "verification" | "delay" | "fees" | null | undefined
    /** Of deny: what the caller hears. */
    words?: string | null | undefined
    /** Of approvals: how many different members. */
    count?: number | null | undefined
    /** Of approvals: of which role; any that may approve without it. */
    role?: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer" | null | undefined
    /** Of verification: what is verified. */
    verification?: "name" | "mobile" | "chain_address" | "list" | "otp" | "http" | null | undefined
    /** Of verification: one of your own verifiers; the one that is built in without it. */
    verifier?: string | null | undefined
    /** Of verification: what becomes of it without an answer; wait by default. */
    on_unavailable?: "wait" | "allow" | null | undefined
    /** Of delay: how much later it leaves. */
    seconds?: number | null | undefined
    /** Of fees: the channel whose transfers cost so. */
    channel?: string | null | undefined
    currency?: Currency | null | undefined
    /** Of fees: the amount chooses the tier, by default, or what the channel moved in the 30 days before. */
    by?: "amount" | "volume" | null | undefined
    /** Of fees: their ends rise, and the last has none. */
    tiers?: readonly (FeeTierInput)[] | null | undefined
  } | null | undefined
}

export type PolicyPlace = {
  /** Another policy, which is asked right after it. Without it: the last of all. */
  before?: string | null | undefined
}

/** As it would be kept. */
export type PolicyPreview = {
  name: string
  description: string | null
  priority: number
  when: readonly (PolicyCondition)[]
  then: PolicyOutcome
  status: "active" | "paused" | "archived"
  /** What it would do, in words. */
  sentence: string
}

/** cut_at is set where the history is longer than is looked at: nothing before that moment is counted, or judged. */
export type PolicyRehearsal = {
  /** False: TEST, no real money. */
  livemode: boolean
  /** The first moment whose payments are judged. */
  from: string
  /** The last one. */
  to: string
  /** Of the account: hours and weekdays are in it. */
  time_zone: string
  cut_at: string | null
  currencies: readonly (RehearsedCurrency)[]
  /** In the order in which they are asked. */
  policies: readonly (RehearsedPolicy)[]
  /** Those that would have been met, the oldest first. */
  contracts: readonly (RehearsedContract)[]
  next: string | null
}

/** A policy that is not saved, or one that is; neither: the active ones as they are. */
export type PolicyRehearsalRequest = {
  policy?: PolicyRequest | null | undefined
  /** One of your policies, in its newest version, whether or not it is asked. With policy: as if it were changed so. */
  policy_id?: string | null | undefined
  /** Without those that are active. They are rehearsed together where nothing is said. */
  alone?: boolean | undefined
  /** How many days up to now; 30 by default. */
  days?: number | undefined
  /** How many contracts are listed; 100 by default. Totals count all. */
  limit?: number | undefined
  /** data.next of the page before. */
  after?: string | null | undefined
}

export type PolicyRequest = {
  /** What people call it; refusals name it. */
  name: string
  /** Why there is such a policy. */
  description?: string | null | undefined
  /** Lower numbers are asked first; 100 by default. */
  priority?: number | null | undefined
  /** None: it applies to every transfer. */
  when?: readonly (PolicyConditionInput)[] | null | undefined
  /** active by default; paused: it is kept and not asked. */
  status?: "active" | "paused" | "archived" | null | undefined
  then: PolicyOutcomeInput
}

export type PolicyTrace = {
  policy: NamedPolicy
  sentence: string
  /** Whether all of its conditions are met. */
  applies: boolean
  conditions: readonly ({
    condition: PolicyCondition
    /** The condition, of “transfers …”. */
    words: string
    met: boolean
    /** What it was compared with, in words. */
    value: string
  })[]
}

export type PolicyVerdict = {
  /** denied: refused with policy_denied. needs: it waits for approvals or verifications. */
  decision: "allowed" | "denied" | "needs"
  words: string
  denied_by: NamedPolicy | null
  approvals: readonly ({
    policy: NamedPolicy | null
    /** The mandate that asks for it, where the key may not pay as much alone; else null. */
    mandate: {
      /** The API key that the mandate was given to. */
      key: string
      /** What the key is called. */
      name: string
    } | null
    /** So many different members. */
    count: number
    /** So many have approved the contract as it stands. */
    given: number
    role: "owner" | "admin" | "operator" | "approver" | "developer" | "viewer" | null
  })[]
  verifications: readonly ({
    policy: NamedPolicy
    verification: "name" | "mobile" | "chain_address" | "list" | "otp" | "http"
    verifier: string | null
    on_unavailable: "wait" | "allow"
    /** The newest one about this very recipient; null where it has to be asked. */
    verification_id: string | null
    /** How it stands. not_started: nobody has asked yet, or what was answered counts no longer. */
    status: "not_started" | "pending" | "pass" | "fail" | "review" | "unavailable"
    /** How it stands, in a sentence. */
    words: string
    /** Until then a pass counts. */
    expires_at: string | null
    /** Whether it keeps the transfer waiting no longer. */
    met: boolean
  })[]
  /** How much later the money leaves. */
  delay_seconds: number
  fees: TriedFees | null
  /** The moment that was asked about. */
  at: string
  /** In the order in which policies are asked. */
  traces: readonly (PolicyTrace)[]
  /** What the verdict cannot know. */
  notes: readonly (string)[]
}

export type Preview = {
  /** What the payer is debited. */
  amount: number
  /** No message is an error. */
  valid: boolean
  /** Null for whoever holds a token. */
  fees: {
    total: number
    covered: boolean
    breakdown: FeeBreakdown
    policy: PricedBy | null
  } | null
  messages: readonly ({
    code: string
    type: "error" | "warning" | "info"
    message: string
  })[]
  /** What arrives: amount − fees.total. Null for whoever holds a token. */
  receive_amount: number | null
  /** By when it arrives, paid now; from then on by when it does, and when it did. Null where nobody can say. */
  arrives_at: string | null
  /** What arrives in a crypto asset; null where money itself arrives. */
  asset: {
    /** CAIP-2. */
    network: string
    asset: string
    /** The contract of the token; null for the coin of the chain. */
    token: string | null
    /** What arrives, in whole units. */
    amount: string | null
    /** What one unit costs in the currency of the contract. */
    rate: string
    /** Until when the rate holds: while a draft it is only that of its last change. */
    expires_at: string
  } | null
}

/** The policy of fees that priced it; null where the channel’s own price stands. */
export type PricedBy = {
  /** The policy of fees: GET /policies/{id}. */
  policy: string
  /** The version that priced it; later ones change nothing of it. */
  version: number
  name: string
  /** The place of the tier, from 1. */
  tier: number
  /** What chose the tier: the amount, or the volume of 30 days before. */
  by: "amount" | "volume"
  /** That amount or volume, in major units. */
  measured: number
}

export type Profile = {
  /** What issued_by, issued_to, paid_by and recipient_profile name. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  type: "person" | "business" | null
  status: "active" | "archived"
  /** own: your account’s. contact: of someone you deal with. payer: of another account that paid you, of which you see the name alone. */
  relation: "own" | "contact" | "payer"
  name: string | null
  email: string | null
  mobile: string | null
  address: string | null
  country: string | null
  reference: string | null
  metadata: Record<string, string>
  destinations: readonly (Destination)[]
  version: number
  created_at: string
  updated_at: string
}

export type ProfileEvent = {
  id: string
  type: "profile.created" | "profile.updated" | "profile.archived"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Profile
  }
  /** The last word of the type. */
  event: string
  kind: "profile"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

/** A JSON merge patch (RFC 7396): null clears. */
export type ProfilePatch = {
  /** Name of the person or firm. */
  name?: string | null | undefined
  email?: string | null | undefined
  /** E.164; 09… is read as +63…. */
  mobile?: string | null | undefined
  /** Postal address. */
  address?: string | null | undefined
  /** ISO 3166-1 alpha-2. */
  country?: string | null | undefined
  /** person by default. */
  type?: "person" | "business" | null | undefined
  /** Your own reference, such as a customer number; lists can be filtered by it. */
  reference?: string | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
}

export type ProfileRequest = {
  /** Name of the person or firm. */
  name?: string | null | undefined
  email?: string | null | undefined
  /** E.164; 09… is read as +63…. */
  mobile?: string | null | undefined
  /** Postal address. */
  address?: string | null | undefined
  /** ISO 3166-1 alpha-2. */
  country?: string | null | undefined
  /** person by default. */
  type?: "person" | "business" | null | undefined
  /** Your own reference, such as a customer number; lists can be filtered by it. */
  reference?: string | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
}

export type Proof = {
  /** The proof. */
  id: string
  /** Who asked for it. */
  started_by: string
  started_at: string
  finished_at: string | null
  /** How much of the books has been read. */
  progress: number
  /** Null while it runs. interrupted: it says nothing about the books; run it again. */
  verdict: "holds" | "broken" | "interrupted" | null
  /** The first row of each proof and lane that does not hold. account_id is empty where it is of a whole lane. */
  findings: readonly ({
    proof: string
    account_id: string
    row: string
    problem: string
  })[]
  /** How many rows were read. */
  counts: {
    wallets: number
    entries: number
    contracts: number
    versions: number
  } | null
}

/** The password, typed again. */
export type ProofRequest = {
  password: string
}

export type PublishedList = {
  /** Whose list it is. */
  source: string
  version: string
  published_on: string | null
  entries: number
  /** When whoever runs the gateway loaded it. */
  loaded_at: string
  /** When it was last found to be the newest. */
  checked_at: string
  /** Whether that is more than seven days ago. */
  stale: boolean
}

export type QrAction = {
  type: "display_qr"
  /** The whole text of the code. */
  data: string
  /** The code as an image. */
  svg: string
  expires_at: string | null
}

export type QrMethod = {
  type: "qr"
  qr?: {
    scheme?: "qrph" | null | undefined
  } | null | undefined
}

export type QueuedApproval = {
  status: "waiting" | "approved" | "rejected" | "ended"
  /** When somebody was held back, the last time. */
  asked_at: string
  asked_by: {
    type: "member" | "key"
    id: string
    name: string | null
  } | null
  /** How many members are lacking at least. */
  lacking: number
  /** Who may approve it still, in words. */
  who: string
  /** Whether you may. */
  can_approve: boolean
  /** Why you may not. */
  why_not: {
    code: string
    message: string
  } | null
  /** Those that ask for it, in the versions that asked. */
  policies: readonly ({
    /** The policy. */
    id: string
    version: number
    name: string
    /** What it does, in words. */
    sentence: string
  })[]
  contract: Transfer
}

export type Receipt = {
  form: "gateway.receipt.v1"
  /** The contract that it is of. */
  contract_id: string
  /** All versions of the contract, oldest first. */
  versions: readonly ({
    /** The leaf of the version: JSON, hashed as it stands after a zero byte. */
    text: string
    /** The number of the seal that it is in. */
    seal: number
    path: readonly (string)[]
  })[]
  /** The members of the newest version. Their hashes one after another make `members` of its leaf. */
  members: readonly ({
    /** The SHA-256 of its text. */
    hash: string
    /** ["salt","name",value], hashed as it stands; null where the receipt hides it. */
    text: string | null
  })[]
  seals: readonly ({
    number: number
    /** What is signed: JSON, as it stands. */
    text: string
    /** Ed25519 over the text, base64. */
    signature: string
    /** The 32 bytes of the key, base64: believe it where you know it. */
    public_key: string
  })[]
}

export type Reconciliation = {
  /** The comparison. */
  id: string
  channel: string
  /** The day in the Philippines. */
  day: string
  /** When it was compared. */
  at: string
  /** Lines that the books have, too. */
  matched: number
  /** Whether nothing is missing, extra or different. */
  fits: boolean
  findings: readonly (ReconciliationFinding)[]
}

export type ReconciliationFinding = {
  /** mended: the statement said how it ended, and the books did not know; no fault. */
  kind: "missing" | "extra" | "differs" | "mended"
  line: "sent" | "returned" | null
  reference: string
  contract_id: string | null
  /** As the line has it: a decimal, in major units. */
  amount: string | null
  currency: string | null
  why: string | null
  /** Whether somebody has looked at this line since it was first found. */
  acknowledged: boolean
}

export type ReconciliationRequest = {
  /** The id of the channel. */
  channel: string
  /** The day in the Philippines. */
  day?: string | undefined
}

export type Recovery = {
  state: "normal" | "recovery"
  /** How many lives the books have had; 1 until a first recovery. */
  epoch: number
  /** Why the epoch began. */
  reason: "created" | "older" | "other_timeline" | "other_system" | "declared"
  /** When the epoch began. */
  began_at: string
  mark: DatabasePlace | null
  found: DatabasePlace | null
  proposed_by: string | null
  /** When the first operator spoke. */
  proposed_at: string | null
  evidence: string | null
  resumed_by: string | null
  /** When the second operator confirmed it. */
  resumed_at: string | null
  /** What was read of each channel that moves money, when it was compared last. */
  channels: readonly (ComparedChannel)[]
  /** Orders that the books did not have as the provider has them; those for an operator first, a thousand at most. */
  lines: readonly (RecoveryLine)[]
}

export type RecoveryLine = {
  /** The channel of the order; commands or schedules where the line names one of them. */
  channel: string
  /** The order’s reference, or the id of the command or schedule. */
  reference: string
  contract_id: string | null
  /** settled: the books had it open. adopted: they had forgotten that it was paid, and have it now. in_review: adopted, on terms that only the provider has: to be resolved. lacking: no wallet has its money. differs: it does not fit. extra: it is not ours. open: the provider does not say how it ended; or a command or schedule that goes on after the resume. */
  kind: "settled" | "adopted" | "in_review" | "lacking" | "differs" | "extra" | "open"
  /** In major units; null where the line has no exact amount. */
  amount: number | null
  currency: string | null
  words: string
  /** When it was found. */
  at: string
}

export type RedirectAction = {
  type: "redirect"
  url: string
  expires_at: string | null
}

export type RefundRequest = {
  /** Major units; without it everything that is left. After 100 refunds of the payment, those that failed too, only everything that is left. */
  amount?: Decimal | null | undefined
  /** Why. All refunds of a payment together: 20,000 characters. */
  reason?: string | null | undefined
  /** With recipient: a channel that pays out. Only the account that paid, or with the scope transfers:pay any other, at the price of a transfer and as policies allow it. */
  channel?: string | null | undefined
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
  } | null | undefined
}

export type RehearsedAmounts = {
  transfers: number
  /** In major units. Without the fee. */
  amount: number
}

export type RehearsedContract = {
  /** Of the transfer contract. */
  contract: string
  /** When it was paid. */
  paid_at: string
  amount: number
  currency: string
  channel: string | null
  /** The recipient’s name. */
  recipient: string | null
  effects: readonly (PolicyEffect)[]
  /** Which policies would have met it, and what they say. */
  reasons: readonly ({
    /** Null for one that is not saved. */
    policy: string | null
    name: string
    effect: PolicyEffect
    sentence: string
  })[]
}

export type RehearsedCurrency = {
  currency: string
  paid: RehearsedAmounts
  denied: RehearsedAmounts
  approvals: RehearsedAmounts
  verification: RehearsedAmounts
  delayed: RehearsedAmounts
  fees: {
    /** The fees of these payments, as they were. */
    charged: number
    /** As they would have been: of those that are not denied, each priced at the moment it was paid. */
    would_be: number
  }
}

export type RehearsedPolicy = {
  /** Null for one that is not saved. */
  policy: string | null
  name: string
  /** What it does, in words. */
  sentence: string
  /** To how many payments it applies. */
  applied: number
  /** Of how many of them it decides something: not where another one allows or denies them first. */
  met: number
}

export type RejectRequest = {
  /** approval.terms_hash of the contract as you looked at it. */
  terms_hash: string
  /** Why. */
  reason?: string | null | undefined
}

export type Replay = {
  /** The replay of its deliveries. */
  number: number
  /** How many were queued. */
  events: number
  /** There were more than one replay takes. */
  more: boolean
  /** Send the replay again with this as from. */
  next_from: string | null
}

/** Either events, or a time, or what was missed. */
export type ReplayRequest = {
  /** Ids of events, whatever the endpoint hears otherwise. */
  events?: readonly (string)[] | null | undefined
  /** Events from then on that the endpoint hears. */
  from?: string | null | undefined
  /** Events until then. */
  to?: string | null | undefined
  /** True for what was never delivered since the endpoint is there; from and to narrow it. */
  missed?: boolean | null | undefined
}

export type Resolution = {
  /** The resolution. */
  id: string
  /** The transfer contract. */
  contract_id: string
  /** Whose it is. */
  account_id: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** How it ended: the recipient has the money, or it never left and goes back. */
  as: "delivered" | "failed"
  evidence: string
  amount: number
  currency: Currency
  /** waiting: for a second person. applied: the transfer is resolved. */
  status: ResolutionStatus
  proposed_by: OperatingPerson
  proposed_at: string
  /** Until when a second person may confirm it. */
  expires_at: string
  /** The second person; null while there is none, and where one was enough. */
  decided_by: OperatingPerson | null
  decided_at: string | null
  /** Why it was rejected. */
  reason: string | null
}

export type ResolutionRejection = {
  /** Why, for whoever proposed it. */
  reason?: string | null | undefined
}

export type ResolutionRequest = {
  /** A transfer whose outcome is open. */
  contract_id: string
  /** How it ended: the recipient has the money, or it never left and goes back. */
  as: "delivered" | "failed"
  /** What proves it, for whoever asks later. Kept with your name. */
  evidence: string
}

export type ResolutionStatus = "waiting" | "applied" | "rejected" | "expired"

export type Resource = {
  type: "transfer" | "payment" | "event" | "activity" | "transaction" | "delivery" | "wallet" | "webhook_endpoint" | "key" | "member" | "account" | "profile"
  id: string
  /** The path under which the API has it. */
  href: string
  /** A line of words, for people. */
  summary: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type Restoration = {
  /** Of the epoch: epoch_2. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** The life of the books that began with the restore; the first one is 1. */
  epoch: number
  /** When the newest thing happened, in any account, that the books still knew: what happened later and before began_at was undone. */
  restored_to: string
  /** When the gateway found that its books were older than what it had done. */
  began_at: string
  /** The account’s newest event that still stands: the cursor from which its feed goes on. */
  resume_after: string | null
  undone_after: string | null
  /** What to do about it, on the gateway’s own documentation site. */
  docs: string
}

export type RestorationEvent = {
  id: string
  type: "gateway.restored"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Restoration
  }
  /** The last word of the type. */
  event: string
  kind: "gateway"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type ResumeRequest = {
  /** Why the books fit what the rails did: what was compared, and with what result. */
  evidence: string
  /** Channels that were not compared, for a reason that the evidence names. */
  without?: readonly (string)[] | undefined
}

export type RetryRequest = {
  /** The channel to try; by default that of the attempt that failed. The price stays. */
  channel?: string | null | undefined
}

export type ReturnRequest = {
  /** With recipient: a channel that pays out. Only the account that paid, or with the scope transfers:pay any other, at the price of a transfer and as policies allow it. */
  channel?: string | null | undefined
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
  } | null | undefined
}

export type Role = "owner" | "admin" | "operator" | "approver" | "developer" | "viewer"

export type RollSecretRequest = {
  /** How long the secret before signs too; 86400 by default. */
  overlap_seconds?: number | undefined
}

export type Sandbox = {
  /** Where it is: on the machine of the gateway. */
  url: string
  clock: SandboxClock
  rails: readonly (SandboxRail)[]
  /** What amounts and accounts choose of transfers. */
  transfers: readonly (SandboxOutcome)[]
  /** What amounts choose of payments, and of refunds. */
  payments: readonly (SandboxOutcome)[]
  /** Scenarios that somebody scripted, newest first: the newest wins. */
  scripts: readonly (SandboxScript)[]
}

export type SandboxClock = {
  /** The provider’s time. */
  now: string
  /** How far it is ahead of the time of this machine. */
  offset_seconds: number
}

export type SandboxClockMove = {
  /** How far to move it forwards. It never goes back. */
  advance_seconds: number
}

export type SandboxOrder = {
  rail: string
  /** What the rail knows it by. */
  reference: string
  direction: "out" | "in"
  contract: {
    /** The contract. */
    id: string
    kind: "transfer" | "payment"
    /** How it stands with us. */
    status: string
  }
  channel: string
  /** Which attempt at the contract it is, from 1. */
  attempt: number
  /** How the attempt stands with us. */
  status: string
  /** What we asked the rail to move, in major units. */
  amount: number
  currency: string
  /** When the contract was made. */
  created_at: string
  provider: {
    /** In the words of the provider’s books. */
    status: string
    code: string | null
    /** In major units. */
    amount: number
    currency: string
    /** How often the money moved. More than once is a double payment. */
    moved: number
    /** How often it was returned or refunded. */
    moved_back: number
    /** Of a payout, oldest first; empty for what comes in. */
    history: readonly ({
      status: string
      code: string | null
      /** By the provider’s clock. */
      at: string
    })[]
  } | null
}

export type SandboxOutcome = {
  name: string
  /** The account of a recipient that chooses it, whatever the amount. */
  account: string | null
  /** The last two digits of an amount that choose it; null for every other amount. */
  amount_ends_in: number | null
  /** What happens, in a sentence. */
  summary: string
}

export type SandboxRail = {
  /** What scenarios and orders name it by. */
  rail: string
  /** The channels whose money goes through it. */
  channels: readonly (string)[]
  /** That lasts now; null while the rail works. */
  outage: {
    kind: string
    /** Null for until it is ended. */
    until: string | null
  } | null
}

export type SandboxScenario = {
  /** One rail of GET /sandbox; without it every one. */
  rail?: string | undefined
  match?: {
    /** Of this order alone. */
    reference?: string | undefined
    /** Of this account of a recipient. */
    account?: string | undefined
    /** Of this amount, as decimal text. */
    amount?: string | undefined
    /** Every second, every third, and so on. */
    every?: number | undefined
  } | undefined
  /** How often it plays; without it until it is ended. */
  times?: number | undefined
  /** How an order ends when it comes. */
  verdict?: "completed" | "accepted" | "refused" | undefined
  /** Why it is refused; in the words of the books, or of the rail. */
  code?: string | undefined
  /** The same in a sentence. */
  message?: string | undefined
  /** What happens by itself afterwards. */
  later?: readonly ({
    /** After the order came. */
    after_seconds: number
    /** What becomes of it. */
    status: "completed" | "accepted" | "refused" | "returned"
    /** Why; in the words of the books, or of the rail. */
    code?: string | undefined
    /** The same in a sentence. */
    message?: string | undefined
  })[] | undefined
  /** What the gateway gets instead of the answer. */
  wire?: "answer" | "hang_before" | "hang_after" | "error_before" | "error_after" | "reset_after" | "garbage" | {
    slow_ms: number
  } | undefined
  /** What inquiries are answered with. */
  inquiry?: "truth" | "not_found" | "error" | "hang" | "lies_failed" | {
    /** From when the order came. */
    not_found_for_seconds: number
  } | undefined
  callbacks?: {
    /** Each is sent so many times more. */
    duplicates?: number | undefined
    /** So many come before it that say the contrary, under a wrong signature. */
    forged?: number | undefined
    /** So many come before it that say that it was refused, under the true one. */
    lies?: number | undefined
    /** How late they are sent. */
    delay_seconds?: number | undefined
    /** Not in order. */
    shuffle?: boolean | undefined
    /** Not at all. */
    drop?: boolean | undefined
  } | undefined
  /** The rail is out. */
  outage?: "refuse_connections" | "hang" | "503" | undefined
  /** How long an outage lasts; without it until it is ended. */
  seconds?: number | undefined
  /** Older references are not known any more: sent again, they are executed again. */
  forget_references_after_seconds?: number | undefined
  /** When a rail that settles in batches does so. */
  settle_after_seconds?: number | undefined
  /** A line that the statement of the day leaves out, or has too many. */
  statement?: {
    omit: string
  } | {
    extra: {
      reference: string
      amount: string
    }
  } | undefined
}

export type SandboxScript = {
  id: string
  /** When it was scripted, by the provider’s clock. */
  created_at: string
  /** How often it played. */
  played: number
  /** As it was posted. */
  scenario: Record<string, unknown>
}

export type Schedule = {
  /** Of the schedule. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  name: string | null
  status: "active" | "paused" | "ended"
  pays: {
    amount: number
    currency: string
    channel: string | null
    /** The name of whom it pays, as it stood when the template was read. */
    recipient: string | null
  }
  /** The draft of each run. */
  template: Record<string, unknown>
  /** The wallet; null for that of the currency. */
  source: string | null
  rule: ScheduleRule
  /** The rule in a sentence. */
  words: string
  /** Later bank holidays are not known yet: only weekends and your own. */
  holidays_known_until: string | null
  /** The next five. */
  next_runs: readonly ({
    at: string
    /** As the clocks of the rule’s zone show it. */
    local: string
  })[]
  /** How many there have been. */
  runs: number
  /** The latest five, newest first. */
  last_runs: readonly (ScheduleRun)[]
  /** maker_ended: who made it may not pay any more. Whoever resumes it makes it theirs. */
  paused_reason: "asked" | "maker_ended" | null
  created_by: {
    type: "key" | "member"
    /** As whom the runs act. */
    id: string
  }
  version: number
  created_at: string
  updated_at: string
  ended_at: string | null
}

export type ScheduleEvent = {
  id: string
  type: "schedule.created" | "schedule.updated" | "schedule.paused" | "schedule.ended" | "schedule.run"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Schedule
  }
  /** The last word of the type. */
  event: string
  kind: "schedule"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

/** A JSON merge patch (RFC 7396): null clears. */
export type SchedulePatch = {
  /** Your own name for it. */
  name?: string | null | undefined
  /** Members of the template that change. */
  template?: Record<string, unknown> | undefined
  /** The wallet to pay from; by default the account’s wallet in the currency. */
  source?: string | null | undefined
  /** Members of the rule that change. */
  rule?: Record<string, unknown> | undefined
}

export type ScheduleRequest = {
  /** Your own name for it. */
  name?: string | null | undefined
  template: TransferDraft
  /** The wallet to pay from; by default the account’s wallet in the currency. */
  source?: string | null | undefined
  rule: ScheduleRuleInput
}

export type ScheduleRule = {
  every: "once" | "day" | "week" | "month"
  /** Every second week is 2. By default 1. */
  interval?: number | null | undefined
  /** With once: the day. */
  date?: string | null | undefined
  /** With week: on which days. With month and nth: the one day. */
  weekdays?: readonly ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[] | null | undefined
  /** With month: which of its weekdays, such as the last friday. */
  nth?: "first" | "second" | "third" | "fourth" | "last" | null | undefined
  /** With month: the day; in a shorter month its last one. */
  day?: number | null | undefined
  /** Of the day, such as 09:00. One that the clocks skip is the next that they show; of one that they show twice, the first. */
  time: string
  /** Of the IANA data base, such as Asia/Manila. */
  time_zone: string
  banking_days?: BankingDays | null | undefined
  /** From then on; by default from when the schedule was made. Weeks and months are counted from it. */
  starts_at?: string | null | undefined
  /** The last moment at which it may run. */
  until?: string | null | undefined
  /** So many runs, then it ends. */
  count?: number | null | undefined
}

export type ScheduleRuleInput = {
  every: "once" | "day" | "week" | "month"
  /** Every second week is 2. By default 1. */
  interval?: number | null | undefined
  /** With once: the day. */
  date?: string | null | undefined
  /** With week: on which days. With month and nth: the one day. */
  weekdays?: readonly ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[] | null | undefined
  /** With month: which of its weekdays, such as the last friday. */
  nth?: "first" | "second" | "third" | "fourth" | "last" | null | undefined
  /** With month: the day; in a shorter month its last one. */
  day?: number | null | undefined
  /** Of the day, such as 09:00. One that the clocks skip is the next that they show; of one that they show twice, the first. */
  time: string
  /** Of the IANA data base, such as Asia/Manila. */
  time_zone: string
  banking_days?: BankingDaysInput | null | undefined
  /** From then on; by default from when the schedule was made. Weeks and months are counted from it. */
  starts_at?: string | null | undefined
  /** The last moment at which it may run. */
  until?: string | null | undefined
  /** So many runs, then it ends. */
  count?: number | null | undefined
}

export type ScheduleRuleRequest = {
  rule: ScheduleRuleInput
}

export type ScheduleRun = {
  /** From 1. */
  number: number
  /** When it was due. */
  due_at: string
  /** When it began: later than due_at where the gateway was down. */
  started_at: string
  /** paid: the contract is paid, and its own status says how far the money has got. */
  status: "running" | "paid" | "failed"
  /** The transfer contract of the run; not there where it failed before there was one. */
  contract_id: string
  /** The command that carries it out: its progress, its row and the error of it. Null of runs before there were such, absent in events of earlier releases. */
  command_id?: string | null | undefined
  error: {
    code: string
    param: string | null
    message: string
  } | null
}

export type Scope = "contracts:read" | "contracts:write" | "transfers:issue" | "transfers:pay" | "transfers:cancel" | "wallets:read" | "events:read" | "webhooks:manage" | "payments:refund" | "events:write" | "accounts:read" | "accounts:write" | "keys:write" | "members:write" | "wallets:write" | "profiles:read" | "profiles:write" | "commands:read" | "commands:write" | "policies:read" | "policies:write" | "verifiers:read" | "verifiers:write" | "audit:read" | "metrics:read"

export type SearchHit = {
  type: "transfer" | "payment" | "event" | "activity" | "transaction" | "delivery" | "wallet" | "webhook_endpoint" | "key" | "member" | "account" | "profile"
  id: string
  /** The path under which the API has it. */
  href: string
  /** A line of words, for people. */
  summary: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** Which of its fields answer the query. */
  fields: readonly (string)[]
}

export type Session = {
  /** The session. */
  id: string
  /** Whether it is the one that asks. */
  current: boolean
  created_at: string
  /** 12 hours after the sign-in. */
  expires_at: string
}

/** E-mail address, password and code; or a passkey alone. */
export type SignInRequest = {
  email?: string | undefined
  password?: string | undefined
  /** Six digits of the authenticator, or a recovery code. */
  code?: string | undefined
  /** Which account, where several have the address. */
  account?: string | undefined
  /** What navigator.credentials.get() gives, as JSON (WebAuthn, PublicKeyCredential.toJSON). */
  passkey?: {
    id: string
    rawId: string
    type: "public-key"
    response: {
      clientDataJSON: string
    } & Record<string, unknown>
  } & Record<string, unknown> | undefined
}

export type StatementBalances = {
  available: number
  held: number
  in_transit: number
  pending: number
  suspense: number
}

export type StatementLine = {
  sequence: number
  created_at: string
  /** What it adds to available; below 0 for what it takes. */
  amount: number
  available_after: number
  /** The ledger account on the other side. */
  account: string
  /** The contract that moved it. */
  contract_id: string | null
  transaction_id: string | null
  reference: string | null
  description: string | null
  /** The recipient’s name on the contract. */
  counterparty: string | null
}

export type Support = {
  email: string | null
  phone: string | null
  url: string | null
}

export type SupportRequest = {
  /** Where payers write. */
  email?: string | null | undefined
  /** What payers call, in international form. */
  phone?: string | null | undefined
  /** A page of help, over https. */
  url?: string | null | undefined
}

export type TakeEventRequest = {
  /** Whose event it is. */
  account_id: string
  /** What proves it, for whoever asks later. Kept with your name. */
  evidence: string
  /** The payment contract that it pays; as the event says, where it is left out. */
  contract_id?: string | null | undefined
  /** In major units, as on the provider’s statement. */
  amount?: Decimal | null | undefined
  currency?: string | null | undefined
}

/** RFC 6749, 5.1. */
export type Token = {
  access_token: string
  token_type: "bearer"
  expires_in: number
  scope: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type TokenRequest = {
  /** client_credentials */
  grant_type: string
  client_id?: string | undefined
  /** The API key, where it is not sent in X-Api-Key. */
  client_secret?: string | undefined
  /** Seconds; 900 by default. */
  expires_in?: number | undefined
  /** Binds the token to one contract. */
  contract_id?: string | undefined
}

export type TopUpRequest = {
  /** Major units. */
  amount: Decimal
  /** Your own: the same again adds nothing. By default one is made. */
  reference?: string | null | undefined
}

export type TransferContract = {
  /** Contract identifier. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  amount: number
  currency: Currency
  /** The profile that issued it. */
  issued_by: string | null
  issued_to: string | null
  issued_at: string | null
  /** The profile that paid. */
  paid_by: string | null
  paid_at: string | null
  /** The wallet: that paid a transfer, null before; that a payment comes into. Null for whoever holds a token. */
  wallet_id: string | null
  /** When a draft or issued contract expires. */
  expires_at: string
  description: string | null
  deliverable: {
    type: string | null
    reference_id: string | null
    description: string | null
    details: string | null
  } | null
  recipient: {
    name: string | null
    email: string | null
    mobile: string | null
    wallet: string | null
    tag: string | null
    address: string | null
    country: string | null
  } | null
  /** What recipient was taken from; later changes of the profile change no contract. */
  recipient_profile: {
    /** The profile. */
    profile: string
    profile_version: number
    /** Its destination. */
    destination: string | null
    destination_version: number | null
  } | null
  issued_to_profile: {
    /** The profile. */
    profile: string
    profile_version: number
  } | null
  channel: ContractChannel | null
  payment: {
    paid_at: string
    details: Activity
  } | null
  /** The newest 50, oldest first; all of them: GET …/{id}/activities. */
  activities: readonly (Activity)[]
  activities_total: number
  metadata: Record<string, string>
  preview: Preview
  cancellation: {
    status: "pending" | "refused" | "done"
    reason: string | null
    requested_at: string
  } | null
  created_at: string
  updated_at: string
  version: number
  kind: "transfer"
  status: TransferStatus
  transfer: {
    /** How far the money has got: docs/states.md. */
    status: string
    attempts: number
    reference: string | null
    submitted_at: string | null
    completed_at: string | null
    failure: {
      code: string
      message: string
    } | null
  }
  refund: {
    amount: number
    refunded_at: string
  } | null
  /** The payment contract whose money this gives back. */
  refund_of: string | null
  approval: Approval | null
  /** Verifications that were asked for the contract, as of their newest results; at most 20. */
  verifications: readonly (NotedVerification)[]
}

export type TransferContractEvent = {
  id: string
  type: "contract.created" | "contract.updated" | "contract.issued" | "contract.approval_requested" | "contract.approved" | "contract.rejected" | "contract.verification_completed" | "contract.paid" | "contract.completed" | "contract.cancelled" | "contract.expired" | "contract.returned" | "contract.transfer_failed"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Transfer
  }
  /** The last word of the type. */
  event: string
  kind: "transfer"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type TransferDraft = {
  /** Major units, above 0, with at most the decimals of the currency and 15 significant digits. */
  amount: Decimal
  currency: Currency
  /** What the contract is about. */
  description?: string | null | undefined
  /** To whom it is issued: the id of a profile of yours, or any text that is no UUID; by default the recipient's e-mail, mobile or name. */
  issued_to?: string | null | undefined
  /** Id of the chosen channel: GET /channels. */
  channel?: string | null | undefined
  deliverable?: {
    /** order, invoice, bill, service, salary, remittance, loan, donation, refund, subscription, ticket, other, or a word of your own. */
    type?: string | null | undefined
    /** Your own reference; lists can be filtered by it. */
    reference_id?: string | null | undefined
    /** What is paid for. */
    description?: string | null | undefined
    /** Anything more. */
    details?: string | null | undefined
  } | null | undefined
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
    /** In place of the other members: a profile of yours, whose values are taken as they stand now. */
    profile?: string | null | undefined
    /** With profile: the saved way to pay it; by default the default one. */
    destination?: string | null | undefined
  } | null | undefined
  /** May only be draft. */
  status?: "draft" | null | undefined
  /** Compared with the real preview, never stored: a difference is a warning. */
  preview?: {
    amount?: Decimal | null | undefined
    valid?: boolean | null | undefined
    fees?: {
      total?: Decimal | null | undefined
      covered?: boolean | null | undefined
    } | null | undefined
  } | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
  /** Seconds until the contract expires, 60 to 2,592,000 (from 1 in test mode). */
  expires_in?: number | null | undefined
}

export type TransferExplanation = {
  /** For people; the words may change. */
  summary: string
  /** Where each part of the debit is; empty while nothing is bound. */
  places: readonly ({
    /** available, held and in_transit are of the payer’s wallet; fee_revenue is the gateway’s; recipient is outside. */
    account: string
    amount: number
    currency: Currency
  })[]
  /** Who must act. */
  waits_for: "caller" | "gateway" | "channel" | "operator" | "nobody"
  /** When the next thing happens by itself at the latest; null when nothing does. */
  by: string | null
  /** What a cancel would do at this moment, for people. */
  cancel_now: string
  /** The newest attempt. */
  attempt: {
    number: number
    channel: string
    /** What the channel knows it by. */
    reference: string
    status: "none" | "queued" | "submitting" | "accepted" | "unknown" | "delivered" | "failed" | "voided" | "returned"
    /** How often the channel was asked without an outcome. */
    tries: number
    submitted_at: string | null
    next_at: string | null
  } | null
}

/** A JSON merge patch (RFC 7396): null clears. */
export type TransferPatch = {
  /** Major units, above 0, with at most the decimals of the currency and 15 significant digits. */
  amount?: Decimal | null | undefined
  currency?: Currency | null | undefined
  /** What the contract is about. */
  description?: string | null | undefined
  /** To whom it is issued: the id of a profile of yours, or any text that is no UUID; by default the recipient's e-mail, mobile or name. */
  issued_to?: string | null | undefined
  /** Id of the chosen channel: GET /channels. */
  channel?: string | null | undefined
  deliverable?: {
    /** order, invoice, bill, service, salary, remittance, loan, donation, refund, subscription, ticket, other, or a word of your own. */
    type?: string | null | undefined
    /** Your own reference; lists can be filtered by it. */
    reference_id?: string | null | undefined
    /** What is paid for. */
    description?: string | null | undefined
    /** Anything more. */
    details?: string | null | undefined
  } | null | undefined
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
    /** In place of the other members: a profile of yours, whose values are taken as they stand now. */
    profile?: string | null | undefined
    /** With profile: the saved way to pay it; by default the default one. */
    destination?: string | null | undefined
  } | null | undefined
  /** May only be draft. */
  status?: "draft" | null | undefined
  /** Compared with the real preview, never stored: a difference is a warning. */
  preview?: {
    amount?: Decimal | null | undefined
    valid?: boolean | null | undefined
    fees?: {
      total?: Decimal | null | undefined
      covered?: boolean | null | undefined
    } | null | undefined
  } | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
  /** Seconds until the contract expires, 60 to 2,592,000 (from 1 in test mode). */
  expires_in?: number | null | undefined
}

export type TransferStatus = "draft" | "issued" | "paid" | "completed" | "cancelled" | "expired" | "returned"

export type TrialBalanceLine = {
  /** available, held, in_transit, pending and suspense are wallets’; fee_revenue, external and clearing:… are not. */
  account: string
  currency: Currency
  /** False: TEST, no real money. */
  livemode: boolean
  /** All that it gave. */
  debit: number
  /** All that it received. */
  credit: number
  /** credit less debit. */
  balance: number
  /** What the wallets themselves say that they hold; null for accounts that no wallet has. */
  kept: number | null
}

export type TrialBalanceSum = {
  currency: Currency
  /** False: TEST, no real money. */
  livemode: boolean
  debit: number
  credit: number
  /** Debit is credit, and every wallet holds what its rows say. */
  is_balanced: boolean
}

/** Null where no policy of fees applies, and the channel’s own price stands. */
export type TriedFees = {
  /** The policy of fees that prices it; null for one that is not saved. */
  policy: string | null
  version: number | null
  name: string
  /** The place of the tier, from 1. */
  tier: number
  by: "amount" | "volume"
  /** The amount, or the volume before it, that chose the tier. */
  measured: number
  /** The fee; null where the channel has no price in the currency. */
  total: number | null
  /** What the channel itself asks: never less is taken. */
  channel_total: number | null
  /** What the payer would be debited. */
  amount: number | null
  breakdown: FeeBreakdown
}

export type UnallocatedEvent = {
  /** The provider’s, unique within the account. */
  id: string
  /** Whose payment it would be. */
  account_id: string
  account_name: string
  /** False: TEST, no real money. */
  livemode: boolean
  type: string
  /** unmatched: it is still tried by itself. needs_review: somebody must look. */
  status: "unmatched" | "needs_review"
  /** Why it needs review. */
  reason: string | null
  contract_id: string | null
  /** The bytes as they came; null for what the gateway saw by itself. */
  body: string | null
  tries: number
  at: string
}

export type UsageDay = {
  /** YYYY-MM-DD, in UTC. */
  day: string
  transfers: {
    created: number
    completed: number
    /** Paid, and not delivered, or come back. */
    failed: number
  }
  payments: {
    created: number
    paid: number
  }
  volume: readonly ({
    currency: Currency
    /** Amounts of the transfers that were completed, in major units. */
    out: number
    /** Amounts of the payments that were paid. */
    in: number
  })[]
  deliveries: {
    /** Tries of webhooks that arrived. */
    delivered: number
    /** Tries that did not. */
    failed: number
  }
}

export type VerdictRequest = {
  /** Why; kept with the verification. */
  reason: string
}

export type Verification = {
  /** Of the verification. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  /** name: whose account it is. mobile, chain_address: the form of a number or an address. list: screening. otp: a one-time code. http: a verifier of your own. */
  kind: "name" | "mobile" | "chain_address" | "list" | "otp" | "http"
  verifier: {
    /** Null for a built-in one. */
    id: string | null
    name: string
  }
  /** The contract that it was asked for. */
  contract_id: string | null
  channel: string | null
  recipient: {
    name: string | null
    email: string | null
    mobile: string | null
    wallet: string | null
    tag: string | null
    address: string | null
    country: string | null
  }
  /** review: a person decides. unavailable: the verifier gave no answer, however often it was asked. */
  status: "pending" | "pass" | "fail" | "review" | "unavailable"
  /** Of names that were compared. */
  match: "match" | "close" | "no_match" | null
  /** How alike, of 100. */
  score: number | null
  /** What was found, redacted. */
  evidence: Record<string, unknown>
  /** Why it stands so, in a sentence; a person’s own where one decided. */
  reason: string | null
  /** The member whose word ended it. */
  decided_by: string | null
  /** The key or the member that asked. */
  requested_by: string | null
  /** How often the verifier was asked. */
  tries: number
  next_try_at: string | null
  created_at: string
  ended_at: string | null
  /** Until then the result is taken again for the same recipient. */
  expires_at: string | null
}

export type VerificationCodeRequest = {
  /** The six digits, as they were received. */
  code: string
}

export type VerificationEvent = {
  id: string
  type: "verification.completed"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Verification
  }
  /** The last word of the type. */
  event: string
  kind: "verification"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type VerificationRequest = {
  /** What is asked. */
  kind?: "name" | "mobile" | "chain_address" | "list" | null | undefined
  /** One of your own, in place of kind. */
  verifier?: string | null | undefined
  /** A transfer contract, whose recipient and channel are taken. */
  contract?: string | null | undefined
  /** In place of a contract: a profile of yours, with its default destination. */
  profile?: string | null | undefined
  /** With profile: another of its destinations. */
  destination?: string | null | undefined
  /** In place of both: who is paid, as in a draft. */
  recipient?: {
    /** Name of the person or firm. */
    name?: string | null | undefined
    email?: string | null | undefined
    /** E.164; 09… is read as +63…. */
    mobile?: string | null | undefined
    /** Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway. */
    wallet?: string | null | undefined
    /** Second locator: bank code, memo or destination tag. */
    tag?: string | null | undefined
    /** Postal address. */
    address?: string | null | undefined
    /** ISO 3166-1 alpha-2. */
    country?: string | null | undefined
  } | null | undefined
  /** With recipient: by which channel it would be paid. */
  channel?: string | null | undefined
}

export type Verifier = {
  /** Null for a built-in one. */
  id: string | null
  /** False: TEST, no real money. */
  livemode: boolean
  kind: "name" | "mobile" | "chain_address" | "list" | "otp" | "http"
  name: string
  status: "active" | "archived"
  description: string
  /** Of lists. */
  hit_from: number | null
  /** Of lists: how many. */
  entries: number | null
  /** Of http and otp. */
  url: string | null
  to: CodeTaker | null
  /** What signs the calls; shown once, when it is made or rolled. */
  secret: string | null
  version: number | null
  created_at: string | null
  changed_at: string | null
}

/** What is left out, or null, stays as it is. */
export type VerifierPatch = {
  /** What it is called where it is shown. */
  name?: string | null | undefined
  /** From which score of 100 a name is a hit; 85 by default. */
  hit_from?: number | null | undefined
}

export type VerifierRequest = {
  /** list: a list of your own. http: a service of yours that is asked. otp: a hook of yours that sends one-time codes. */
  kind: "list" | "otp" | "http"
  /** What it is called where it is shown. */
  name: string
  /** From which score of 100 a name is a hit; 85 by default. */
  hit_from?: number | null | undefined
  /** Of http and otp: where it is called, by POST, signed as webhooks are. */
  url?: string | null | undefined
  /** Of otp: who gets the code; the recipient by default. */
  to?: "recipient" | "payer" | null | undefined
}

export type VerifierTrial = {
  /** How the reply would count. sent: the hook of one-time codes took it. unavailable: it is no answer. */
  read_as: "pass" | "fail" | "review" | "unavailable" | "sent"
  /** Its reason, or what is wrong with the reply. */
  reason: string
  /** What the reply brings with it. */
  evidence: Record<string, unknown>
  duration_ms: number
  request: {
    method: "POST"
    url: string
    /** With the signatures, as they were. */
    headers: Record<string, string>
    /** The bytes that are signed. `sample` is true in trials alone. */
    body: string
  }
  /** Null where none came. */
  response: {
    status_code: number
    /** Its first 2 KiB. */
    body: string
  } | null
}

/** Nothing: what is sent is a sample about nobody. */
export type VerifierTrialRequest = Record<string, never>

export type WaitingPayouts = {
  channel: string
  /** How many are due and have not been sent; counted up to 100,000. */
  payouts: number
  /** Since when the oldest of them is due. */
  oldest: string
}

export type WaitingTransfer = {
  /** The transfer contract. */
  contract_id: string
  /** Whose it is. */
  account_id: string
  account_name: string
  /** False: TEST, no real money. */
  livemode: boolean
  amount: number
  currency: Currency
  /** The channel of the newest attempt. */
  channel: string | null
  /** From when on it waits. */
  since: string
  /** Whether the channel pays nothing out. */
  is_frozen: boolean
  /** Whether POST /operations/resolutions takes it. */
  can_be_resolved: boolean
  /** Whether PUT /operations/transfers/{id}/close closes it. */
  is_contradicted: boolean
  explanation: TransferExplanation
}

export type Wallet = {
  /** Wallet identifier. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  currency: Currency
  label: string | null
  /** Money of the currency that names no wallet goes here and comes from here. */
  default: boolean
  status: "open" | "closed"
  available: number
  held: number
  in_transit: number
  /** Paid by payers, and not settled yet. */
  pending: number
  /** Arrived, and fits no contract. */
  suspense: number
  /** wallet.low is sent when available falls below it. */
  low_balance: number | null
  /** Available is below low_balance. */
  is_low: boolean
  metadata: Record<string, string>
}

export type WalletEntry = {
  sequence: number
  /** The ledger account that the amount leaves. */
  debit: string
  /** The ledger account that receives it. */
  credit: string
  amount: number
  currency: Currency
  available_after: number
  /** The contract that moved it. */
  contract_id: string | null
  transaction_id: string | null
  reference: string | null
  created_at: string
}

export type WalletEvent = {
  id: string
  type: "wallet.created" | "wallet.updated" | "wallet.low"
  /** Unix seconds. */
  created_at: number
  data: {
    object: Wallet
  }
  /** The last word of the type. */
  event: string
  kind: "wallet"
  /** Gapless for each contract; 1 for what is no contract’s. */
  sequence: number
  api_version: string
  /** False: TEST, no real money. */
  livemode: boolean
}

export type WalletMethod = {
  type: "wallet"
  wallet: {
    /** A wallet of the payer, whose API key comes with the request. */
    wallet_id: string
  }
}

/** A JSON merge patch (RFC 7396): null clears. */
export type WalletPatch = {
  /** What you call it. */
  label?: string | null | undefined
  /** Major units, above 0: wallet.low is sent when available falls below it. */
  low_balance?: Decimal | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
  /** Makes it the default of its currency. */
  default?: true | undefined
  /** closed: only when it is empty, and not the default. */
  status?: "open" | "closed" | undefined
}

export type WalletRequest = {
  currency: Currency
  /** What you call it. */
  label?: string | null | undefined
  /** Major units, above 0: wallet.low is sent when available falls below it. */
  low_balance?: Decimal | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
}

export type WalletStatement = {
  /** The wallet. */
  wallet_id: string
  /** False: TEST, no real money. */
  livemode: boolean
  currency: Currency
  label: string | null
  /** What was booked from then on. */
  from: string
  /** What was booked before then. */
  to: string
  opening: StatementBalances
  closing: StatementBalances
  /** Oldest first: each change of available. */
  lines: readonly (StatementLine)[]
}

export type WebhookEndpoint = {
  /** The endpoint. */
  id: string
  /** False: TEST, no real money. */
  livemode: boolean
  url: string
  description: string | null
  events: readonly (string)[]
  /** The types there are that it does not get. */
  events_not_sent: readonly (string)[]
  api_version: string
  in_flight_max: number
  metadata: Record<string, string>
  /** By its owner, by the receiver’s 410, or after days without a success. */
  disabled_because: "caller" | "gone" | "failing" | null
  /** Signs deliveries. Shown when it is made, then never again. */
  secret: string | null
  /** Those that sign at the moment, newest first. */
  secrets: readonly ({
    /** Its last characters. */
    hint: string
    created_at: string
    /** Until when it signs beside the newest. */
    expires_at: string | null
  })[]
  /** Shown when the endpoint is made, then never again. */
  bearer_token: string | null
  bearer_token_hint: string | null
  created_at: string
  updated_at: string
  delivery: {
    /** Steps of the account’s history that were not looked at for it yet. */
    behind: number
    /** Deliveries that wait for a try. */
    waiting: number
    /** Deliveries put aside while it was disabled. */
    held: number
    /** Deliveries that were given up. */
    dead: number
    breaker: "closed" | "open"
    /** Nothing is sent until then. */
    open_until: string | null
    /** Failed calls in a row. */
    failures: number
    last_success_at: string | null
    last_failure_at: string | null
    /** How long its answers take lately. */
    latency_ms: number | null
  }
  status: "enabled" | "paused" | "disabled"
}

/** What is absent stays as it is. Null clears the description. A url with another origin makes a new secret, and a new bearer token where none is sent; both are shown once. */
export type WebhookEndpointPatch = {
  /** Where events are posted: https, at a public address. */
  url?: string | undefined
  /** What the endpoint is for. */
  description?: string | null | undefined
  /** What the endpoint gets: event types, or * alone for all there are and will be. All that the key may read, where nothing is said. */
  events?: readonly ("contract.created" | "contract.updated" | "contract.issued" | "contract.approval_requested" | "contract.approved" | "contract.rejected" | "contract.verification_completed" | "contract.paid" | "contract.completed" | "contract.cancelled" | "contract.expired" | "contract.returned" | "contract.transfer_failed" | "contract.payment_failed" | "contract.payment_suspended" | "contract.payment_returned" | "contract.refunded" | "account.updated" | "key.created" | "key.rolled" | "key.revoked" | "member.invited" | "member.joined" | "member.updated" | "member.removed" | "wallet.created" | "wallet.updated" | "wallet.low" | "profile.created" | "profile.updated" | "profile.archived" | "verification.completed" | "policy.created" | "policy.updated" | "policy.archived" | "command.paused" | "command.completed" | "command.cancelled" | "schedule.created" | "schedule.updated" | "schedule.paused" | "schedule.ended" | "schedule.run" | "gateway.restored" | "*")[] | undefined
  /** How many calls at once it takes. */
  in_flight_max?: number | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
  /** Sent as Authorization: Bearer. 16 to 255 printable ASCII characters without a space. */
  bearer_token?: string | undefined
  /** To pause it: PUT /webhook-endpoints/{id}/pause. */
  status?: "enabled" | "disabled" | undefined
}

export type WebhookEndpointRequest = {
  /** Where events are posted: https, at a public address. */
  url: string
  /** What the endpoint is for. */
  description?: string | null | undefined
  /** What the endpoint gets: event types, or * alone for all there are and will be. All that the key may read, where nothing is said. */
  events?: readonly ("contract.created" | "contract.updated" | "contract.issued" | "contract.approval_requested" | "contract.approved" | "contract.rejected" | "contract.verification_completed" | "contract.paid" | "contract.completed" | "contract.cancelled" | "contract.expired" | "contract.returned" | "contract.transfer_failed" | "contract.payment_failed" | "contract.payment_suspended" | "contract.payment_returned" | "contract.refunded" | "account.updated" | "key.created" | "key.rolled" | "key.revoked" | "member.invited" | "member.joined" | "member.updated" | "member.removed" | "wallet.created" | "wallet.updated" | "wallet.low" | "profile.created" | "profile.updated" | "profile.archived" | "verification.completed" | "policy.created" | "policy.updated" | "policy.archived" | "command.paused" | "command.completed" | "command.cancelled" | "schedule.created" | "schedule.updated" | "schedule.paused" | "schedule.ended" | "schedule.run" | "gateway.restored" | "*")[] | null | undefined
  api_version?: "2026-11-01" | null | undefined
  /** Sent as Authorization: Bearer. 16 to 255 printable ASCII characters without a space. */
  bearer_token?: string | null | undefined
  /** How many calls at once it takes. */
  in_flight_max?: number | null | undefined
  /** Pairs of your own, shown wherever the object is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it. */
  metadata?: Record<string, string | null> | null | undefined
}

export type ErrorCode = 'malformed_json' | 'card_data_not_allowed' | 'body_too_large' | 'unsupported_media_type' | 'method_not_allowed' | 'unknown_parameter' | 'unsupported_version' | 'unsupported_grant_type' | 'request_timeout' | 'api_key_required' | 'credentials_required' | 'invalid_api_key' | 'invalid_token' | 'invalid_signature' | 'payer_token_required' | 'credentials_disagree' | 'scope_missing' | 'address_not_allowed' | 'transfer_above_cap' | 'policy_denied' | 'mandate_exceeded' | 'exceeds_own_access' | 'person_required' | 'test_account_required' | 'token_not_for_contract' | 'session_required' | 'invalid_session' | 'sign_in_failed' | 'second_factor_required' | 'not_proven' | 'cross_site_request' | 'role_not_allowed' | 'code_wrong' | 'second_person_required' | 'approver_is_maker' | 'approver_role_not_asked' | 'insufficient_funds' | 'payment_declined' | 'contract_not_found' | 'channel_not_found' | 'credit_not_allowed' | 'wallet_closed' | 'wallet_not_empty' | 'wallet_is_default' | 'wallets_full' | 'reference_reused' | 'wallet_not_found' | 'profile_not_found' | 'schedule_not_found' | 'destination_not_found' | 'verifier_not_found' | 'list_entry_not_found' | 'verification_not_found' | 'policy_not_found' | 'event_not_found' | 'webhook_endpoint_not_found' | 'delivery_not_found' | 'key_not_found' | 'member_not_found' | 'session_not_found' | 'passkey_not_found' | 'invitation_not_found' | 'resource_not_found' | 'resolution_not_found' | 'review_not_found' | 'reconciliation_not_found' | 'proof_not_found' | 'route_not_found' | 'contract_not_draft' | 'contract_not_issued' | 'approval_not_required' | 'terms_changed' | 'destination_changed' | 'contract_expired' | 'contract_cancelled' | 'contract_already_paid' | 'contract_completed' | 'keys_full' | 'key_ended' | 'member_exists' | 'members_full' | 'last_owner' | 'last_factor' | 'account_required' | 'oidc_not_configured' | 'webhook_endpoints_full' | 'webhook_endpoint_disabled' | 'payer_not_known' | 'command_not_found' | 'command_not_movable' | 'command_started_before' | 'command_row_differs' | 'command_empty' | 'command_too_large' | 'file_not_ready' | 'file_expired' | 'commands_full' | 'schedule_ended' | 'schedules_full' | 'profile_archived' | 'profile_is_own' | 'policy_archived' | 'policies_full' | 'destinations_full' | 'verifiers_full' | 'verifier_archived' | 'list_full' | 'verification_not_in_review' | 'code_not_waited_for' | 'code_not_sent_again' | 'transfer_not_failed' | 'transfer_not_open' | 'operations_not_offered' | 'resolution_not_waiting' | 'resolution_exists' | 'resolution_overtaken' | 'channel_frozen' | 'not_sealed_yet' | 'history_not_as_sealed' | 'proof_running' | 'payment_not_payable' | 'payment_processing' | 'payment_attempts_exhausted' | 'payment_not_paid' | 'payer_names_exhausted' | 'refund_exceeds_payment' | 'refunds_exhausted' | 'refund_route_missing' | 'nothing_in_suspense' | 'event_id_reused' | 'channel_not_in_mode' | 'approval_required' | 'verification_required' | 'requirements_not_met' | 'precondition_failed' | 'preview_mismatch' | 'idempotency_reply_lost' | 'idempotency_in_progress' | 'idempotency_key_reused' | 'epoch_changed' | 'events_removed' | 'restored_request' | 'rate_limited' | 'too_many_streams' | 'overloaded' | 'shutting_down' | 'in_recovery' | 'not_in_recovery' | 'recovery_not_compared' | 'lane_on_other_server' | 'lane_lost' | 'already_in_recovery' | 'account_busy' | 'database_unavailable' | 'internal_error' | 'oidc_unavailable' | 'sandbox_unavailable' | 'channel_unavailable' | `missing_${string}` | `invalid_${string}`

/** When something happened, by the statuses where it surely has, and where it surely has not. */
type Moment<S, Surely, Never> = S extends Surely ? string : S extends Never ? null : string | null

/** A transfer contract: in any status, or in those that are named. */
export type Transfer<S extends TransferStatus = TransferStatus> = {
  [K in S]: Omit<TransferContract, 'status' | 'issued_at' | 'paid_at'> & {
    status: K
    issued_at: Moment<K, 'issued' | 'paid' | 'completed' | 'returned', 'draft'>
    paid_at: Moment<K, 'paid' | 'completed' | 'returned', 'draft' | 'issued' | 'expired'>
  }
}[S]

/** A payment contract: in any status, or in those that are named. */
export type Payment<S extends PaymentStatus = PaymentStatus> = {
  [K in S]: Omit<PaymentContract, 'status' | 'paid_at'> & {
    status: K
    paid_at: Moment<K, 'paid' | 'completed', 'issued'>
  }
}[S]

export type TransfersListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** One, or several after commas. */
  status?: TransferStatus | readonly (TransferStatus)[] | undefined
  channel?: string | undefined
  currency?: Currency | undefined
  reference_id?: string | undefined
  /** At least so much, in the currency that is named beside it. */
  amount_from?: number | undefined
  /** At most so much, in the currency that is named beside it. */
  amount_to?: number | undefined
  /** A profile of yours: those whose recipient it is, or to whom they are issued. */
  profile?: string | undefined
  /** From then on; a date alone is its first moment, in UTC. */
  created_from?: string | Date | undefined
  /** Until then, included; a date alone is its last moment, in UTC. */
  created_to?: string | Date | undefined
}

export type ApprovalsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  status?: "waiting" | "approved" | "rejected" | "ended" | undefined
  /** true: of a page only those that you may approve. For members. */
  mine?: boolean | undefined
}

export type TransfersActivitiesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type PaymentsActivitiesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type TransfersAttemptsParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type PaymentsAttemptsParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type TransfersEntriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type PaymentsEntriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type TransfersDeliveriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type PaymentsDeliveriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type PaymentsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** One, or several after commas. */
  status?: PaymentStatus | readonly (PaymentStatus)[] | undefined
  channel?: string | undefined
  currency?: Currency | undefined
  reference_id?: string | undefined
  /** At least so much, in the currency that is named beside it. */
  amount_from?: number | undefined
  /** At most so much, in the currency that is named beside it. */
  amount_to?: number | undefined
  /** A profile of yours: those whose recipient it is, or to whom they are issued. */
  profile?: string | undefined
  /** From then on; a date alone is its first moment, in UTC. */
  created_from?: string | Date | undefined
  /** Until then, included; a date alone is its last moment, in UTC. */
  created_to?: string | Date | undefined
}

export type EventsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** Which come first: the oldest, which is the feed, or the newest. */
  order?: "oldest" | "newest" | undefined
  /** One, or several after commas. */
  types?: EventType | readonly (EventType)[] | undefined
}

export type RequestsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** The one with this Request-Id. */
  id?: string | undefined
  /** An HTTP status, or a class of them: 409, or 4xx. */
  status?: string | undefined
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined
  /** As the API document names it. */
  operation?: string | undefined
  /** The code of a refusal, such as insufficient_funds. */
  code?: string | undefined
  /** What was done to this contract. */
  contract?: string | undefined
  /** Begun from then on; a date alone is its first moment, in UTC. */
  since?: string | Date | undefined
}

export type SchedulesListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  status?: "active" | "paused" | "ended" | undefined
}

export type SchedulesRunsParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type ProfilesListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  type?: "person" | "business" | undefined
  /** Without it, archived ones too. */
  status?: "active" | "archived" | undefined
  reference?: string | undefined
  email?: string | undefined
  /** As in a profile: 09… is +63…. */
  mobile?: string | undefined
}

export type ProfilesGetParams = {
  /** As of that version. */
  version?: number | undefined
}

export type ProfilesVersionsParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type PoliciesListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** Without it, archived ones too. */
  status?: "active" | "paused" | "archived" | undefined
}

export type PoliciesGetParams = {
  /** As of that version. */
  version?: number | undefined
}

export type PoliciesVersionsParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type CommandsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  status?: "open" | "queued" | "running" | "paused" | "completed" | "cancelled" | undefined
  /** Your own, as you gave it. */
  reference?: string | undefined
  /** Only those that do the rows of this dry run. */
  dry_run_id?: string | undefined
}

export type CommandsRowsParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: number | undefined
  status?: "queued" | "waiting" | "done" | "failed" | "skipped" | undefined
  /** true: of a dry run, only rows whose checks say something: a denial, approvals, verifications, a delay, or a payment that may be there twice. */
  flagged?: boolean | undefined
}

export type WalletsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  currency?: Currency | undefined
  status?: "open" | "closed" | undefined
}

export type WalletsGetParams = {
  /** The balances as of this moment: what was booked before it. A day is its first moment. */
  at?: string | Date | undefined
}

export type WalletsEntriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** Only what this contract moved. */
  contract_id?: string | undefined
  /** Only what this ledger account gave or took: available, held, in_transit, pending, suspense, … */
  account?: string | undefined
  /** From this moment on. A day is its first moment. */
  from?: string | Date | undefined
  /** Before this moment. A day is its end. */
  to?: string | Date | undefined
}

export type WalletsStatementParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** Its first moment, or its first day in the account’s time zone; by default the first of this month. */
  from?: string | Date | undefined
  /** Ends before this moment, or with this day; by default now. */
  to?: string | Date | undefined
}

export type VerifierEntriesListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type VerificationsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** review is the queue of people. */
  status?: "pending" | "pass" | "fail" | "review" | "unavailable" | undefined
  kind?: "name" | "mobile" | "chain_address" | "list" | "otp" | "http" | undefined
  /** Those of one contract. */
  contract?: string | undefined
}

export type WebhookEndpointsDeliveriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  status?: "pending" | "delivered" | "dead" | "held" | undefined
  /** The id of an event, or an event type. */
  event?: string | undefined
}

export type SearchFindParams = {
  /** An id or its first eight digits or more, a reference, a name or words of it, a mobile number, an e-mail address, an account number or its last four digits or more, an amount (1500, PHP 1,500.00), or metadata as name:text. */
  q: string
  /** One, or several after commas. */
  type?: "transfer" | "payment" | "profile" | "event" | readonly ("transfer" | "payment" | "profile" | "event")[] | undefined
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type SandboxOrdersParams = {
  /** A rail of GET /sandbox. */
  rail?: string | undefined
  /** What the rail knows an attempt by. */
  reference?: string | undefined
  /** The attempts at this contract. */
  contract_id?: string | undefined
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type ChannelsPolicyParams = {
  /** The version; by default the one that is offered now. */
  version?: number | undefined
}

export type OverviewGetParams = {
  /** The first day, YYYY-MM-DD in the account’s time zone; 30 days up to the last one where nothing is said. */
  from?: string | Date | undefined
  /** The last day, included; today where nothing is said. */
  to?: string | Date | undefined
  /** Only this currency; all where nothing is said. */
  currency?: string | undefined
}

export type UsageGetParams = {
  /** The first day, YYYY-MM-DD in UTC; 30 days up to the last one where nothing is said. */
  from?: string | Date | undefined
  /** The last day, included; today where nothing is said. */
  to?: string | Date | undefined
}

export type AuditListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** Only what this key, member or operator did: the id, or an operator’s name. */
  actor?: string | undefined
  /** Only what was done to this: the id of a key, wallet, profile, member, account… */
  object?: string | undefined
  /** Such as key.created. */
  action?: string | undefined
  /** From then on; a date alone is its first moment, in UTC. */
  from?: string | Date | undefined
  /** Until then, included; a date alone is its last moment, in UTC. */
  to?: string | Date | undefined
}

export type KeysListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type MembersListParams = {
  /** true: those who were removed, too. */
  removed?: boolean | undefined
}

export type OperationsTransfersParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type ResolutionsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  status?: ResolutionStatus | undefined
}

export type UnallocatedEventsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}

export type ReconciliationsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** The id of the channel. */
  channel?: string | undefined
}

export type OperationsEntriesParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
  /** Only rows of this account. */
  account_id?: string | undefined
  /** Only what this contract moved. */
  contract_id?: string | undefined
  /** Only what this ledger account gave or took: available, fee_revenue, clearing: and a channel, … */
  ledger_account?: string | undefined
}

export type ProofsListParams = {
  /** 1 to 100; 25 by default. */
  limit?: number | string | undefined
  /** data.next of the page before. */
  after?: string | undefined
}
