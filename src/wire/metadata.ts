// Metadata on the wire: pairs of the caller's own, the same for contracts, wallets, profiles and webhook endpoints.
import Type from 'typebox'
import { METADATA_NAME_MAX, METADATA_PAIRS_MAX, METADATA_TEXT_MAX } from '../domain/text/metadata.ts'
import { nullable } from './shapes.ts'

/** What a request may send: in a patch a pair that is null goes, and null for all of it. Read by readMetadata. */
export const MetadataField = Type.Optional(
  nullable(
    Type.Record(Type.String(), nullable(Type.String({ maxLength: METADATA_TEXT_MAX })), {
      description: `Pairs of your own, shown wherever the object is: at most ${METADATA_PAIRS_MAX}, names of 1 to ${METADATA_NAME_MAX} characters, texts of at most ${METADATA_TEXT_MAX}. In a patch a pair that is null goes, and null for all of it.`,
    }),
  ),
)

/** What a reply shows; empty where there is none. */
export const ShownMetadata = Type.Record(Type.String(), Type.String())
