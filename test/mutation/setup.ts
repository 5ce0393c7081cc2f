import fc from 'fast-check';

// A property that fails has killed its mutant: a smaller example is of no use.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
