/** Of Scalar only its finished browser bundle is used: none of the packages that it was built from is installed. */
module.exports = {
  hooks: {
    readPackage(pkg) {
      if (pkg.name === '@scalar/api-reference') pkg.dependencies = {}
      return pkg
    },
  },
}
