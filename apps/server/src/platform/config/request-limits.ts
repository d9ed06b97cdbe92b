import {
  filesBodyLimit,
  maxConfigurationDepth,
  maxConfigurationLength,
  maxConfigurationValues,
  maxExtendsDepth,
  maxListedMarkdown,
  maxPagesDomains,
  reportLimits,
} from '@stithy/core'
import type { Limit } from './limit.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** The limits of every request, whatever it is for, that no setting changes. */
export const requestLimitTable = {
  body: {
    anonymousBytes: {
      value: 64 * kibibyte,
      unit: 'bytes',
      meaning: 'A body without a token in the headers or the query.',
      outcome: '401, before the body is read; 413 where no token is needed.',
    },
    bytes: {
      // Fits a description of 1,000,000 characters, however escaped.
      value: 8 * mebibyte,
      unit: 'bytes',
      meaning: 'A JSON or form body.',
      outcome: '413.',
    },
    filesBytes: {
      value: filesBodyLimit,
      unit: 'bytes',
      meaning: 'The body of a commit, or of one file of it, by the API.',
      outcome: '413.',
    },
    heldBytes: {
      // Two of the largest.
      value: 2 * filesBodyLimit,
      unit: 'bytes',
      meaning: 'All bodies of over 256 KiB at a time, from their arrival to the response.',
      outcome: 'The request waits before its body is read; 429 if too many wait.',
    },
    heldBytesPerUser: {
      value: filesBodyLimit,
      unit: 'bytes',
      meaning: 'Those of one user.',
      outcome: 'The same.',
    },
    waiting: {
      value: 64,
      unit: 'requests',
      meaning: 'Requests with such a body that wait, a quarter of them of one user.',
      outcome: '429, with `Retry-After`.',
    },
    values: {
      value: 200_000,
      unit: 'values',
      meaning: 'The elements of all lists, and the keys of all objects, of a JSON body.',
      outcome: '400.',
    },
    keys: {
      // A commit of the most files has 40,000.
      value: 50_000,
      unit: 'values',
      meaning: 'The keys of all objects of a JSON body.',
      outcome: '400.',
    },
    parameters: {
      value: 1000,
      unit: 'values',
      meaning: 'The keys of the JSON body itself.',
      outcome: '400.',
    },
    depth: {
      value: 100,
      unit: 'levels',
      meaning: 'Lists and objects in each other in a JSON body.',
      outcome: '400.',
    },
    fileBytes: {
      // `max_attachment_size`.
      value: 10 * mebibyte,
      unit: 'bytes',
      meaning: 'A file of a multipart form. Files are received on disk.',
      outcome: '413.',
    },
    multipartBytes: {
      // The largest file, and texts.
      value: 18 * mebibyte,
      unit: 'bytes',
      meaning: 'All parts of a multipart form.',
      outcome: '413.',
    },
    parts: {
      value: 1000,
      unit: 'parts',
      meaning: 'The parts of a multipart form, of which ten may be files.',
      outcome: '413.',
    },
    lingerMs: {
      // Closing at once could lose the answer, since the client is still sending.
      value: 5000,
      unit: 'milliseconds',
      meaning: 'The rest of a body after its request was answered.',
      outcome: 'The connection is closed.',
    },
  },
  signIn: {
    perAccount: {
      value: 10,
      unit: 'requests',
      meaning: 'Failed sign-ins of one account from one network in a minute.',
      outcome: '429, with `Retry-After`.',
    },
    perNetwork: {
      value: 60,
      unit: 'requests',
      meaning: 'Failed sign-ins from one network (an IPv4 address, or a /64 of IPv6) in a minute.',
      outcome: '429, with `Retry-After`.',
    },
    codesPerAccount: {
      value: 10,
      unit: 'requests',
      meaning:
        'Wrong codes of two-factor authentication in a row, from all networks, each within ten ' +
        'minutes of the one before.',
      outcome: '429, with `Retry-After`, for ten minutes.',
    },
    waitingHashes: {
      // About two seconds of work.
      value: 60,
      unit: 'requests',
      meaning: 'Passwords that wait to be checked; those of clients that left are dropped.',
      outcome: '503, with `Retry-After`.',
    },
  },
  securityReport: {
    bytes: {
      value: reportLimits.bytes,
      unit: 'bytes',
      meaning: 'A security report. It is received on disk, and read a part at a time.',
      outcome: '413.',
    },
    vulnerabilities: {
      value: reportLimits.vulnerabilities,
      unit: 'values',
      meaning: 'The vulnerabilities of a report.',
      outcome: '400.',
    },
    length: {
      value: reportLimits.length,
      unit: 'characters',
      meaning: 'What is stored of a vulnerability, as JSON.',
      outcome: '400.',
    },
    waiting: {
      value: 64,
      unit: 'requests',
      meaning: 'Reports that wait while another one is read, a quarter of them of one project.',
      outcome: '429, with `Retry-After`.',
    },
  },
  pagesDomain: {
    perProject: {
      value: maxPagesDomains,
      unit: 'values',
      meaning: 'The domains of a project.',
      outcome: '400.',
    },
    certificates: {
      // A site has one or two intermediates; each further one costs a check of a signature.
      value: 10,
      unit: 'values',
      meaning: 'The certificate of a domain and its intermediates.',
      outcome: '400.',
    },
  },
  mailedLink: {
    perAddress: {
      value: 3,
      unit: 'requests',
      meaning:
        'Requests for a link for a new password, and for one that confirms an e-mail address: each for one address in an hour.',
      outcome: 'The same response, and no mail.',
    },
    perNetwork: {
      value: 10,
      unit: 'requests',
      meaning: 'Those from one network in a minute, whatever the address.',
      outcome: '429, with `Retry-After`.',
    },
  },
  releases: {
    markdown: {
      value: maxListedMarkdown,
      unit: 'characters',
      meaning: 'The descriptions of a list of releases that are rendered as HTML.',
      outcome: '`description_html` has the beginning of the longest ones; a release alone has all.',
    },
  },
  ciConfiguration: {
    length: {
      value: maxConfigurationLength,
      unit: 'characters',
      meaning: 'A CI configuration that is checked.',
      outcome: '400.',
    },
    values: {
      value: maxConfigurationValues,
      unit: 'values',
      meaning: 'Its values, those of aliases and of what jobs extend counted each time.',
      outcome: 'It is invalid.',
    },
    depth: {
      value: maxConfigurationDepth,
      unit: 'levels',
      meaning: 'Lists and mappings in each other in it.',
      outcome: 'It is invalid.',
    },
    extends: {
      value: maxExtendsDepth,
      unit: 'levels',
      meaning: 'Jobs that extend others.',
      outcome: 'It is invalid.',
    },
  },
} as const satisfies Record<string, Record<string, Limit>>
