import { defaultSettings, type SettingName } from './config.ts'
import type { LimitUnit } from './limit.ts'

/** A limit that a setting changes. */
interface SettingLimit {
  unit: LimitUnit | 'mebibytes'
  /** What is limited. */
  meaning: string
  /** What the caller gets beyond it. */
  outcome: string
}

/** The settings that are limits, by their names in the configuration file. */
export const settingLimits = {
  rate_limit_anonymous: {
    unit: 'requests',
    meaning: 'Requests in a second of one network without a valid token, session or password.',
    outcome: '429, with `Retry-After` and `RateLimit-*` headers.',
  },
  request_timeout: {
    unit: 'seconds',
    meaning:
      "The time in which the body of a request has to arrive, except for git's; its headers have 60 s at most.",
    outcome: '408, and the connection is closed.',
  },
  receive_max_input_size: {
    unit: 'mebibytes',
    meaning: 'A pushed pack; 0 means unlimited.',
    outcome: 'The push is refused.',
  },
  git_memory_limit: {
    unit: 'mebibytes',
    meaning: 'The memory of each git process of a fetch or push.',
    outcome: 'The transfer is refused.',
  },
  git_processor_time_limit: {
    unit: 'seconds',
    meaning: 'The processor time of each git process of a fetch or push.',
    outcome: 'The transfer is refused.',
  },
  git_inactivity_timeout: {
    unit: 'seconds',
    meaning: 'The time in which a git client neither sends nor reads what it should.',
    outcome: 'The connection is closed, and git ended.',
  },
  git_transfers: {
    unit: 'requests',
    meaning: 'Fetches and pushes at a time, half of them of clients without an account.',
    outcome: 'The request waits; 429 if the queue is full.',
  },
  git_transfers_per_client: {
    unit: 'requests',
    meaning: 'Fetches and pushes of one user, or of one network without an account, at a time.',
    outcome: 'The request waits; 429 if the queue is full.',
  },
  git_transfer_queue: {
    unit: 'requests',
    meaning: 'Fetches and pushes that wait for their turn, a quarter of them of one client.',
    outcome: '429, with `Retry-After`.',
  },
  event_streams: {
    unit: 'requests',
    meaning: 'Open pages and other clients that a server tells of changes at a time.',
    outcome: '429: those pages show what others change once they are loaded again.',
  },
  event_streams_per_user: {
    unit: 'requests',
    meaning: 'Those of one user.',
    outcome: 'The same.',
  },
  webhook_timeout: {
    unit: 'seconds',
    meaning: 'The time in which the receiver of a webhook has to respond.',
    outcome: 'The delivery has failed, and is tried again.',
  },
} as const satisfies Partial<Record<SettingName, SettingLimit>>

/** The limits with the values that they have where nothing is configured. */
export function listSettingLimits(): (SettingLimit & { setting: string; value: number })[] {
  const defaults = defaultSettings()
  return Object.entries(settingLimits).map(([setting, limit]) => ({
    ...limit,
    setting,
    value: Number(defaults[setting as keyof typeof settingLimits]),
  }))
}
