import {
  closingReferences,
  makeReferencesAbsolute,
  relativeReferences,
  scanMentions,
  splitQuickActions,
} from '@stithy/core'

/** What is read from texts, in time that depends on their length; the text comes first. */
export const textScans = {
  closingReferences,
  makeReferencesAbsolute,
  relativeReferences,
  scanMentions,
  splitQuickActions,
} as const

export type TextScans = typeof textScans
export type ScanName = keyof TextScans
