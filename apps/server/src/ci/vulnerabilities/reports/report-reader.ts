import { createHash } from 'node:crypto'
import { type ReportType, rankOf, readRemediation, readReported, reportLimits } from '@stithy/core'
import type { ReportPart } from './report-messages.ts'
import { createReportParser, type ReportElement } from './report-parser.ts'

/** Vulnerabilities, or solutions, that are stored at once: others wait for as long. */
const storedAtOnce = 200

/** Of the summaries of all remediations, in characters. */
const maxSummaryLength = 64 * 1024 * 1024

const notReport = 'is not JSON with a list of vulnerabilities, or has a value that is too large'

/** What is wrong with a report, for its sender. */
class InvalidReportError extends Error {}

/** A report that is read as its bytes arrive. */
export interface ReportReader {
  write: (bytes: Uint8Array) => ReportPart
  end: () => ReportPart
}

/** Reads a report of one type. */
export function openReport(reportType: ReportType): ReportReader {
  const parser = createReportParser()
  const report = collect(reportType)
  let solutions: ReturnType<typeof report.solutions> | undefined
  return {
    write: (bytes) =>
      orProblem(() => {
        for (const element of parse(() => parser.write(bytes))) report.add(element)
        const found = report.rows.splice(0)
        return { rows: textsOf(found), count: found.length }
      }),
    end: () =>
      orProblem(() => {
        if (!parser.end()) throw new InvalidReportError(notReport)
        solutions ??= report.solutions()
        return { solutions: solutions.splice(0, storedAtOnce) }
      }),
  }
}

/** Lists of some rows each, in JSON. */
function textsOf(rows: readonly string[]): string[] {
  const count = Math.ceil(rows.length / storedAtOnce)
  return Array.from({ length: count }, (_, index) => {
    const start = index * storedAtOnce
    return `[${rows.slice(start, start + storedAtOnce).join(',')}]`
  })
}

function orProblem(read: () => ReportPart): ReportPart {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidReportError)) throw error
    return { problem: error.message }
  }
}

function parse(write: () => ReportElement[]): ReportElement[] {
  try {
    return write()
  } catch {
    throw new InvalidReportError(notReport)
  }
}

/**
 * Gathers the rows of a report: of several in the same place the first. Some scanners give all that
 * a rule finds the same `cve`: from the second place on it is part of the fingerprint.
 */
function collect(reportType: ReportType) {
  /** The hash of where each is, by fingerprint. */
  const known = new Map<string, string>()
  /** Fingerprints of those without a solution, by the hash of what remediations call them. */
  const unsolved = new Map<string, string>()
  const remedies = collectRemedies()
  const rows: string[] = []
  const addVulnerability = ({ index, value }: ReportElement) => {
    const found = readReported(value)
    if ('problem' in found) throw problemAt('vulnerabilities', index, found.problem)
    const location = JSON.stringify(found.location)
    const place = fingerprintOf(location)
    let fingerprint = fingerprintOf(found.compareKey)
    if ((known.get(fingerprint) ?? place) !== place) {
      fingerprint = fingerprintOf(`${found.compareKey}\n${location}`)
    }
    if (known.has(fingerprint)) return
    known.set(fingerprint, place)
    if (known.size > reportLimits.vulnerabilities) {
      throw new InvalidReportError(`has more than ${reportLimits.vulnerabilities} vulnerabilities`)
    }
    if (found.solution === null)
      for (const key of found.keys) unsolved.set(fingerprintOf(key), fingerprint)
    const { severity, confidence, scanner, identifiers, links } = found
    const rank = rankOf({ severity, confidence, reportType, dismissed: false })
    const texts = [found.name, found.description, found.solution]
    const lists = [scanner, identifiers, links].map((each) => JSON.stringify(each))
    const row = JSON.stringify([fingerprint, rank, ...texts, ...lists, location])
    if (row.length > reportLimits.length) throw problemAt('vulnerabilities', index, 'is too large')
    rows.push(row)
  }
  return {
    rows,
    add(element: ReportElement) {
      if (element.list === 'vulnerabilities') addVulnerability(element)
      else remedies.add(element)
    },
    solutions: () =>
      [...remedies.byKey].flatMap(([key, solution]) => {
        const fingerprint = unsolved.get(key)
        return fingerprint === undefined ? [] : [{ fingerprint, solution }]
      }),
  }
}

/** Gathers the summaries of remediations by the hash of what they call a vulnerability. */
function collectRemedies() {
  const byKey = new Map<string, string>()
  let length = 0
  return {
    byKey,
    add({ index, value }: ReportElement) {
      const found = readRemediation(value)
      if ('problem' in found) throw problemAt('remediations', index, found.problem)
      const { summary, keys } = found
      if (summary === undefined) return
      for (const key of keys.map(fingerprintOf)) if (!byKey.has(key)) byKey.set(key, summary)
      length += summary.length
      if (byKey.size > reportLimits.vulnerabilities || length > maxSummaryLength) {
        throw new InvalidReportError('has too many remediations')
      }
    },
  }
}

function fingerprintOf(key: string): string {
  return createHash('sha1').update(key).digest('hex')
}

function problemAt(list: string, index: number, problem: string): InvalidReportError {
  return new InvalidReportError(`${list}[${index}] ${problem}`)
}
