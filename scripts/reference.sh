#!/usr/bin/env bash
# Takes from Scalar's package what GET /docs/reference serves: its one script, packed, and its licence.
set -euo pipefail
cd "$(dirname "$0")/.."
package=node_modules/@scalar/fastify-api-reference
mkdir -p dist/reference
cp "$package/LICENSE" dist/reference/LICENSE
gzip -9nc "$package/dist/js/standalone.js" >dist/reference/scalar.js.gz
