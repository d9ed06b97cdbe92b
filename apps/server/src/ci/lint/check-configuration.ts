import { ciConfigurationError, maxConfigurationDepth } from '@stithy/core'
import {
  boolYaml11Tag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  floatYaml11Tag,
  intYaml11Tag,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  YAMLException,
} from 'js-yaml'

/** `!reference [.setup, script]`: a list, whatever it stands for. */
const referenceTag = defineSequenceTag<unknown[]>('!reference', {
  create: () => [],
  addItem(list, item) {
    list.push(item)
  },
  identify: () => false,
})

/** Those of YAML 1.1 but `y` and `n`, which the parser of v4 takes for texts. */
const boolTag = defineScalarTag(boolYaml11Tag.tagName, {
  ...boolYaml11Tag,
  resolve: (source, ...rest) =>
    source.length === 1 ? NOT_RESOLVED : boolYaml11Tag.resolve(source, ...rest),
})

/** YAML 1.1, as in the files that exist, with values as in JSON: dates remain texts. */
const schema = FAILSAFE_SCHEMA.withTags(
  nullYaml11Tag,
  boolTag,
  intYaml11Tag,
  floatYaml11Tag,
  mergeTag,
  referenceTag,
)

const options = {
  schema,
  // A later key replaces an earlier one of the same name.
  json: true,
  maxDepth: maxConfigurationDepth,
  maxTotalMergeKeys: 100_000,
  // The values that they stand for are counted by the check.
  maxAliases: -1,
}

/** The first error of a CI configuration file; undefined if it is valid. */
export function checkConfiguration(content: string): string | undefined {
  if (content.trim() === '') return 'Please provide content of .gitlab-ci.yml'
  try {
    const documents = loadAll(content, options)
    return ciConfigurationError(documents[isHeader(documents[0]) ? 1 : 0])
  } catch (error) {
    if (error instanceof YAMLException) return yamlError(error)
    throw error
  }
}

/** Whether a document describes the file, and is not the configuration, which comes after it. */
function isHeader(document: unknown): boolean {
  return (
    typeof document === 'object' &&
    document !== null &&
    Object.keys(document).join() === 'spec' &&
    !Object.hasOwn(Object(Object.values(document)[0]), 'script')
  )
}

/** Of a reason, in characters: it may name an anchor or a tag, which are as long as the file. */
const maxReasonLength = 200

function yamlError({ reason, mark }: YAMLException): string {
  const place = mark === undefined ? '' : ` at line ${mark.line + 1} column ${mark.column + 1}`
  return `(<unknown>): ${reason.slice(0, maxReasonLength).toWellFormed()}${place}`
}
