import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { watchHeld } from './held-values.ts'

/** Bytes after which it is looked whether too many are held. */
const stepBytes = 64 * 1024

/** An element of a list of a report. */
export interface ReportElement {
  list: 'vulnerabilities' | 'remediations'
  index: number
  value: unknown
}

/** Parses a report as its bytes arrive. */
export interface ReportParser {
  /** The elements that end in these bytes. @throws Error for what is no JSON */
  write: (bytes: Uint8Array) => ReportElement[]
  /** Whether all that was written is a report. */
  end: () => boolean
}

/**
 * Parses a report of the common format, of which it holds one element at a time: an object with
 * `vulnerabilities` and `remediations`, or, as in older versions, the list of vulnerabilities alone.
 */
export function createReportParser(): ReportParser {
  let elements: ReportElement[] = []
  let failure: Error | undefined
  let shape: ReturnType<typeof watchShape> | undefined
  const held = watchHeld()
  const tokenizer = new Tokenizer()
  const fail = (error: Error) => {
    failure ??= error
  }
  tokenizer.onError = fail
  let parser: TokenParser | undefined
  tokenizer.onToken = (token) => {
    if (parser === undefined || shape === undefined) {
      const isList = token.token === TokenType.LEFT_BRACKET
      shape = watchShape(isList)
      parser = openParser(isList, (element) => elements.push(element), fail)
    }
    const place = shape.see(token)
    if (failure !== undefined) return
    held.see(token.value, place)
    parser.write(token)
  }
  return {
    write(bytes) {
      elements = []
      for (let start = 0; start < bytes.length; start += stepBytes) {
        const step = bytes.subarray(start, start + stepBytes)
        held.read(step.length)
        tokenizer.write(step)
        if (failure !== undefined) throw failure
      }
      return elements
    },
    end: () => failure === undefined && parser?.isEnded === true && shape?.isReport() === true,
  }
}

function openParser(
  isList: boolean,
  take: (element: ReportElement) => void,
  fail: (error: Error) => void,
): TokenParser {
  const paths = isList ? ['$.*'] : ['$.vulnerabilities.*', '$.remediations.*']
  const parser = new TokenParser({ paths, keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    const name = isList ? 'vulnerabilities' : String(stack.at(-1)?.key)
    if (typeof key !== 'number') fail(new Error(`${name} is not a list`))
    else take({ list: name as ReportElement['list'], index: key, value })
  }
  parser.onError = fail
  return parser
}

interface Token {
  token: TokenType
  value?: unknown
}

/** Lists whose elements are of interest. */
const listNames: readonly unknown[] = ['vulnerabilities', 'remediations']

/** Watches whether the report has a list of vulnerabilities, which may be empty, and where it is read. */
function watchShape(isList: boolean) {
  let depth = 0
  let found = isList
  let isInList = isList
  let previous: Token[] = []
  return {
    /** Returns the number of levels, and whether the token is of an element. */
    see({ token, value }: Token): { depth: number; isElement: boolean } {
      if (depth === 1 && !isList) {
        const [name, colon] = previous
        const isValue = colon?.token === TokenType.COLON
        if (isValue && name?.value === 'vulnerabilities') found = token === TokenType.LEFT_BRACKET
        if (isValue) isInList = listNames.includes(name?.value)
        previous = [...previous.slice(-1), { token, value }]
      }
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
      if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1
      return { depth, isElement: isInList && depth > (isList ? 1 : 2) }
    },
    isReport: () => found,
  }
}
