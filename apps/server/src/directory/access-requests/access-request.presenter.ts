import type { AccessRequest, ApprovedAccessRequest } from '@stithy/core'
import type { AccessRequestRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Builds the shape of a pending request. */
export function presentAccessRequest(row: AccessRequestRow): AccessRequest {
  return { ...presentRequester(row), requested_at: timestampText(row.requestedAt) }
}

/** Builds the shape of a request that was approved. */
export function presentApproved(row: AccessRequestRow, level: number): ApprovedAccessRequest {
  return { ...presentRequester(row), access_level: level }
}

function presentRequester({ id, username, name, state, requestedAt }: AccessRequestRow) {
  return { id, username, name, state, created_at: timestampText(requestedAt) }
}
