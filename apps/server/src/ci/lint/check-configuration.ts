import { ciConfigurationError, maxConfigurationDepth } from '@stithy/core'
import {
  boolYaml11Tag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  floatYaml11Tag,
  intYaml11Tag,
  loadAll,
  mergeTag,
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

/** YAML 1.1, as in the files that exist, with values as in JSON: dates remain texts. */
const schema = FAILSAFE_SCHEMA.withTags(
  nullYaml11Tag,
  boolYaml11Tag,
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
    // A header may be a document of its own, before that of the configuration.
    return ciConfigurationError(loadAll(content, options).at(-1))
  } catch (error) {
    if (error instanceof YAMLException) return yamlError(error)
    throw error
  }
}

function yamlError({ reason, mark }: YAMLException): string {
  const place = mark === undefined ? '' : ` at line ${mark.line + 1} column ${mark.column + 1}`
  return `(<unknown>): ${reason}${place}`
}
