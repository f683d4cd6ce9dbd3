// All routes of policies.
import type { Context } from '../context.ts'
import { evaluationRoutes } from './evaluation.ts'
import { policyPlaceRoute, policyPreviewRoute } from './order.ts'
import { policyRoutes } from './policies.ts'
import { rehearseRoute } from './rehearse.ts'

export function allPolicyRoutes(context: Context): void {
  policyRoutes(context)
  policyPreviewRoute(context)
  policyPlaceRoute(context)
  evaluationRoutes(context)
  rehearseRoute(context)
}
