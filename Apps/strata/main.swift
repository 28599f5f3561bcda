// Runs the command line and ends with its exit code.

exit(Strata.main())
