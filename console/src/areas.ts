// The areas of the console, in the order of its menu. An area's folder says what belongs to it (shell/area.ts).
import { account } from './account/area.ts'
import { approvals } from './approvals/area.ts'
import { audit } from './audit/area.ts'
import { DEVELOPERS } from './developers/areas.ts'
import { home } from './home/area.ts'
import { ledger } from './ledger/area.ts'
import { members } from './members/area.ts'
import { payments } from './payments/area.ts'
import { payouts } from './payouts/area.ts'
import { policies } from './policies/area.ts'
import { profiles } from './profiles/area.ts'
import { schedules } from './schedules/area.ts'
import type { Area } from './shell/area.ts'
import { transfers } from './transfers/area.ts'
import { verifications } from './verifications/area.ts'
import { wallets } from './wallets/area.ts'
import { work } from './operations/area.ts'
import { you } from './you/area.ts'

export const AREAS: readonly Area[] = [
  home,
  transfers,
  payments,
  payouts,
  schedules,
  approvals,
  verifications,
  wallets,
  profiles,
  policies,
  work,
  ledger,
  ...DEVELOPERS,
  members,
  audit,
  account,
  you,
]
