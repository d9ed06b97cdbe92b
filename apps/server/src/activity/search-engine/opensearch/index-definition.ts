const keyword = { type: 'keyword' }
/** Shown, but not searched. */
const stored = { type: 'keyword', index: false, doc_values: false }
/** Which documents have a trigram, and neither where nor how often. */
const trigrams = { type: 'text', analyzer: 'trigrams', index_options: 'docs', norms: false }

/** Fields of texts, which are in the index alone and not stored. */
const textFields = { message: trigrams, pathText: trigrams, text: trigrams }

/** The version of the definition: an index of another one is not used. */
export const definitionVersion = 1

/**
 * How the index is created. Its shards can be set by an index template. Entries that were deleted
 * keep their versions for as long as a worker that was interrupted may go on writing.
 */
export const indexDefinition = {
  settings: {
    index: {
      number_of_shards: 3,
      auto_expand_replicas: '0-1',
      gc_deletes: '10m',
      analysis: {
        analyzer: { trigrams: { type: 'custom', tokenizer: 'trigrams' } },
        // Texts are in lower case already, as the server understands it.
        tokenizer: { trigrams: { type: 'ngram', min_gram: 3, max_gram: 3 } },
      },
    },
  },
  mappings: {
    dynamic: 'strict',
    _source: { excludes: Object.keys(textFields) },
    properties: {
      type: keyword,
      kind: keyword,
      projectId: { type: 'long' },
      order: { type: 'long' },
      oid: keyword,
      path: stored,
      ...textFields,
      version: { type: 'long', index: false },
      revision: stored,
      target: stored,
    },
  },
}
