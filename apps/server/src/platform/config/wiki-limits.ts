import type { Limit } from './limit.ts'

const mebibyte = 1024 * 1024

/** The limits of what is read of wikis, besides those of all repositories. */
export const wikiLimitTable = {
  maxPages: {
    value: 10_000,
    unit: 'pages',
    meaning: 'The pages of a wiki that are listed.',
    outcome: '413; each page can still be read, and all of them cloned.',
  },
  maxContentBytes: {
    value: 5 * mebibyte,
    unit: 'bytes',
    meaning: 'The contents of all pages in a list `with_content`.',
    outcome: '413; each page can still be read.',
  },
  maxHookPages: {
    value: 100,
    unit: 'pages',
    meaning: 'The changed pages of a push to a wiki that webhooks are sent for.',
    outcome: 'No webhooks for further pages.',
  },
  maxHookContentBytes: {
    value: 1 * mebibyte,
    unit: 'bytes',
    meaning: 'The content of a page in the body of a webhook.',
    outcome: 'A larger content is left empty.',
  },
} as const satisfies Record<string, Limit>
