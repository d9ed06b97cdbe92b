import { z } from 'zod'
import { isCleanText } from '../../platform/contract/fields.ts'
import { type Confidence, confidences, type Severity, severities } from './vulnerability.rules.ts'
import type {
  VulnerabilityIdentifier,
  VulnerabilityLocation,
  VulnerabilityScanner,
} from './vulnerability.schema.ts'

const kibibyte = 1024

/** What is taken of a security report. */
export const reportLimits = {
  /** The size of a report, in bytes. */
  bytes: 256 * kibibyte * kibibyte,
  /** The vulnerabilities of a report. */
  vulnerabilities: 200_000,
  /** What is stored of a vulnerability, in characters of JSON. */
  length: 64 * kibibyte,
} as const

const maxTextLength = 20_000
const maxShortLength = 1024
const maxPathLength = 4096
const maxEntries = 100

/** Numbers count as texts; white space is no text. */
function text(max: number) {
  return z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().max(max).refine(isCleanText))
    .nullish()
    .transform((value) => value?.trim() || undefined)
}

/** A word of a scale in any case: the first if there is none, `unknown` for a word that isn't one. */
function level<const W extends readonly ['undefined', ...string[]]>(words: W) {
  return text(maxShortLength).transform((value): W[number] => {
    const word = value?.toLowerCase() ?? words[0]
    return words.includes(word) ? word : 'unknown'
  })
}

/** The number of a line; anything else is none. */
const line = z
  .unknown()
  .optional()
  .transform((value) => {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
    return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
  })

const Dependency = z
  .object({ package: z.object({ name: text(maxShortLength) }), version: text(maxShortLength) })
  .nullish()

const Location = z
  .object({
    file: text(maxPathLength),
    start_line: line,
    end_line: line,
    class: text(maxShortLength),
    method: text(maxShortLength),
    dependency: Dependency,
    image: text(maxShortLength),
    operating_system: text(maxShortLength),
    hostname: text(maxPathLength),
    path: text(maxPathLength),
    param: text(maxShortLength),
  })
  .nullish()

const Finding = z.object({
  id: text(maxShortLength),
  name: text(maxShortLength),
  message: text(maxTextLength),
  description: text(maxTextLength),
  cve: text(maxPathLength),
  severity: level(severities),
  confidence: level(confidences),
  solution: text(maxTextLength),
  scanner: z.object({ id: text(maxShortLength), name: text(maxShortLength) }).nullish(),
  location: Location,
  identifiers: z
    .array(
      z.object({
        type: text(maxShortLength),
        name: text(maxShortLength),
        value: text(maxShortLength),
        url: text(maxPathLength),
      }),
    )
    .max(maxEntries)
    .nullish(),
  links: z
    .array(z.object({ url: text(maxPathLength), name: text(maxShortLength) }))
    .max(maxEntries)
    .nullish(),
})

/** A vulnerability of a report. */
export interface ReportedVulnerability {
  /** What `remediations` call it by. */
  keys: readonly string[]
  /** What it has in common with itself in other reports; its hash is the fingerprint. */
  compareKey: string
  severity: Severity
  confidence: Confidence
  name: string
  description: string | null
  solution: string | null
  scanner: VulnerabilityScanner
  identifiers: VulnerabilityIdentifier[]
  links: { url: string; name?: string }[]
  location: VulnerabilityLocation
}

/** What is wrong with a value of a report. */
export interface ReportProblem {
  problem: string
}

/** Reads an element of `vulnerabilities` of a report of the common format. */
export function readReported(value: unknown): ReportedVulnerability | ReportProblem {
  const parsed = Finding.safeParse(value)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? []
    return { problem: path.length === 0 ? 'is not an object' : `has an invalid ${pathText(path)}` }
  }
  const { data } = parsed
  const identifiers: VulnerabilityIdentifier[] = []
  for (const { type, name, value, url } of data.identifiers ?? []) {
    if (type === undefined || name === undefined || value === undefined) {
      return { problem: 'has an identifier without a type, name or value' }
    }
    identifiers.push({ external_type: type, external_id: value, name, url: webUrl(url) ?? null })
  }
  const name = data.name ?? data.message?.slice(0, maxShortLength) ?? identifiers[0]?.name
  if (name === undefined) return { problem: 'has no name' }
  const scanner = scannerOf(data.scanner)
  if (scanner === undefined) return { problem: 'has no scanner' }
  const location = locationOf(data.location)
  const compareKey = data.cve ?? keyOf(identifiers[0], location)
  if (compareKey === undefined) return { problem: 'has neither a cve nor identifiers' }
  return {
    keys: [data.cve, data.id].filter((key) => key !== undefined),
    compareKey,
    severity: data.severity,
    confidence: data.confidence,
    name,
    description: data.description ?? data.message ?? null,
    solution: data.solution ?? null,
    scanner,
    identifiers,
    links: linksOf(data.links ?? []),
    location,
  }
}

/** Summaries of `remediations`, and what they remedy. */
const Remediation = z.object({
  summary: text(maxTextLength),
  fixes: z
    .array(z.object({ cve: text(maxPathLength), id: text(maxShortLength) }))
    .max(maxEntries)
    .nullish(),
})

/** Reads an element of `remediations`: its summary and the keys of what it fixes. */
export function readRemediation(
  value: unknown,
): { summary: string | undefined; keys: string[] } | ReportProblem {
  const parsed = Remediation.safeParse(value)
  if (!parsed.success) return { problem: 'is invalid' }
  const { summary, fixes } = parsed.data
  const keys = (fixes ?? []).flatMap(({ cve, id }) => cve ?? id ?? [])
  return { summary, keys }
}

function pathText(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String)
  return first + rest.map((step) => `[${step}]`).join('')
}

function scannerOf(scanner: z.output<typeof Finding>['scanner']): VulnerabilityScanner | undefined {
  const id = scanner?.id ?? scanner?.name
  return id === undefined ? undefined : { external_id: id, name: scanner?.name ?? id }
}

function locationOf(location: z.output<typeof Location>): VulnerabilityLocation {
  if (location === null || location === undefined) return {}
  const { dependency, ...plain } = location
  const known: VulnerabilityLocation = {}
  Object.assign(known, Object.fromEntries(Object.entries(plain).filter(([, each]) => each)))
  const name = dependency?.package.name
  if (name !== undefined) {
    known.dependency = { package: { name }, version: dependency?.version ?? null }
  }
  return known
}

/** Without a `cve`, the first identifier at a place. */
function keyOf(
  identifier: VulnerabilityIdentifier | undefined,
  location: VulnerabilityLocation,
): string | undefined {
  if (identifier === undefined) return undefined
  return JSON.stringify([identifier.external_type, identifier.external_id, location])
}

/** Others will follow it; what is not of the web is left out. */
function webUrl(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}

function linksOf(links: readonly { url?: string | undefined; name?: string | undefined }[]) {
  return links.flatMap(({ url, name }) => {
    const known = webUrl(url)
    if (known === undefined) return []
    return [name === undefined ? { url: known } : { url: known, name }]
  })
}
